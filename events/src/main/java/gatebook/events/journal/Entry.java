package gatebook.events.journal;

import gatebook.events.journal.tree.Envelope;
import java.util.Set;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;

/**
 * One event as the journal keeps it: a row, column by column, in the exact text and bytes that are
 * hashed.
 *
 * <p>{@code at} is RFC 3339 in UTC with nine digits of fraction, so that the order of texts is the
 * order of times. {@code tags} is the canonical text of its tags. The arrays belong to the entry:
 * nobody changes them.
 *
 * @param content what the payload was written from, in the process that wrote it and for as long as
 *     that has it in memory; never stored
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
    byte[] leaf,
    @Nullable Object content)
    implements Envelope {

  /** One that was read from where it is kept. */
  public Entry(
      long position,
      String id,
      String name,
      String version,
      String at,
      String node,
      String tags,
      byte[] payload,
      byte[] metadata,
      byte[] leaf) {
    this(position, id, name, version, at, node, tags, payload, metadata, leaf, null);
  }

  /** The tags that the text of the column stands for. */
  public Set<Tag> tagSet() {
    return TagText.read(tags);
  }

  Entry withLeaf(byte[] newLeaf) {
    return new Entry(
        position, id, name, version, at, node, tags, payload, metadata, newLeaf, content);
  }
}
