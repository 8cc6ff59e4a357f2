package gatebook.events.journal;

import gatebook.events.journal.tree.Envelope;
import java.util.Set;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * One event as the journal keeps it: a row, column by column, in the exact text and bytes that are
 * hashed.
 *
 * <p>{@code at} is RFC 3339 in UTC with nine digits of fraction, so that the order of texts is the
 * order of times. {@code tags} is the canonical text of its tags. The arrays belong to the entry:
 * nobody changes them.
 */
@SuppressWarnings("ArrayRecordComponent") // the bytes as stored; entries are told apart by position
public record Entry(
    long position,
    String id,
    String name,
    String version,
    String at,
    String node,
    String tags,
    byte[] payload,
    byte[] metadata,
    byte[] leaf)
    implements Envelope {

  /** The tags that the text of the column stands for. */
  public Set<Tag> tagSet() {
    return TagText.read(tags);
  }

  Entry withLeaf(byte[] newLeaf) {
    return new Entry(position, id, name, version, at, node, tags, payload, metadata, newLeaf);
  }
}
