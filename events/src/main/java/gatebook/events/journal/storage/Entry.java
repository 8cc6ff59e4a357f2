package gatebook.events.journal.storage;

import gatebook.events.journal.tree.Envelope;
import java.util.Set;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;

/**
 * The entry of one event in the journal: a row, column by column, in the exact text and bytes that
 * are hashed.
 *
 * <p>{@code at} is RFC 3339 in UTC with nine digits of fraction, so that the order of texts is the
 * order of times. {@code tags} is the canonical text of its tags. The arrays belong to the entry
 * and must not be changed.
 *
 * @param content the object that the payload was written from, in the process that wrote it and as
 *     long as that has it in memory; never stored
 */
@SuppressWarnings("ArrayRecordComponent") // the bytes as stored; entries are identified by position
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

  /** An entry read from the storage or the network. */
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

  /** What is left of an event that was dropped for good: its leaf. */
  public static Entry dropped(long position, byte[] leaf) {
    return new Entry(position, "", "", "", "", "", "", new byte[0], new byte[0], leaf);
  }

  /** Whether only the leaf is left. Storages give such entries to those who read leaves only. */
  public boolean isDropped() {
    return id.isEmpty();
  }

  /** The tags, read from their text. */
  public Set<Tag> tagSet() {
    return TagText.read(tags);
  }

  /** The same event at another position; its leaf is the stored one still. */
  public Entry movedTo(long newPosition) {
    return new Entry(newPosition, id, name, version, at, node, tags, payload, metadata, leaf);
  }

  /** The same entry with another object in memory. */
  public Entry withContent(Object newContent) {
    return new Entry(
        position, id, name, version, at, node, tags, payload, metadata, leaf, newContent);
  }

  /** The same entry without the object in memory. */
  public Entry withoutContent() {
    return new Entry(position, id, name, version, at, node, tags, payload, metadata, leaf);
  }

  public Entry withLeaf(byte[] newLeaf) {
    return new Entry(
        position, id, name, version, at, node, tags, payload, metadata, newLeaf, content);
  }
}
