package gatebook.events.journal.segment.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.Sha256;
import gatebook.events.journal.tree.Utf8Text;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The format of one entry, and of one checkpoint, inside a record: its number in the segment, then
 * its columns, each after its length. An entry that was dropped has one column, its leaf.
 */
public final class EntryFormat {
  /** The length of the entry, and its number. */
  public static final int HEAD_BYTES = 2 * Integer.BYTES;

  private static final int COLUMNS = 9;

  /** An entry has at least so many bytes behind its head. */
  public static final int BYTES_MIN = COLUMNS * Integer.BYTES;

  private EntryFormat() {}

  /** How many bytes an entry has at most. */
  static long bytesMax(Entry entry) {
    return HEAD_BYTES
        + Utf8Text.bytesMax(entry.id())
        + Utf8Text.bytesMax(entry.name())
        + Utf8Text.bytesMax(entry.version())
        + Utf8Text.bytesMax(entry.at())
        + Utf8Text.bytesMax(entry.node())
        + Utf8Text.bytesMax(entry.tags())
        + 3 * Integer.BYTES
        + entry.payload().length
        + entry.metadata().length
        + entry.leaf().length;
  }

  /** How many bytes a checkpoint has at most. */
  static long bytesMax(StoredCheckpoint checkpoint) {
    return 2 * Long.BYTES
        + Utf8Text.bytesMax(checkpoint.note())
        + Integer.BYTES
        + checkpoint.hashes().length;
  }

  static void put(Entry entry, int number, ByteBuffer into) {
    int at = into.position();
    into.putInt(0).putInt(number);
    if (!entry.isDropped()) {
      put(entry.id(), into);
      put(entry.name(), into);
      put(entry.version(), into);
      put(entry.at(), into);
      put(entry.node(), into);
      put(entry.tags(), into);
      put(entry.payload(), into);
      put(entry.metadata(), into);
    }
    put(entry.leaf(), into);
    into.putInt(at, into.position() - at - HEAD_BYTES);
  }

  static void put(StoredCheckpoint checkpoint, ByteBuffer into) {
    into.putLong(checkpoint.number()).putLong(checkpoint.size());
    put(checkpoint.note(), into);
    put(checkpoint.hashes(), into);
  }

  /** A question mark replaces half of a surrogate pair. */
  private static void put(String text, ByteBuffer into) {
    if (!Utf8Text.put(text, into)) {
      put(text.getBytes(UTF_8), into);
    }
  }

  private static void put(byte[] column, ByteBuffer into) {
    into.putInt(column.length).put(column);
  }

  /**
   * The entry whose head is at the buffer's position, which moves behind it; null when there is no
   * whole entry with this number.
   */
  static @Nullable Entry read(ByteBuffer from, int number, long position) {
    if (from.remaining() < HEAD_BYTES) {
      return null;
    }
    int bytes = from.getInt();
    if (from.getInt() != number || bytes < 0 || bytes > from.remaining()) {
      return null;
    }
    if (bytes == Integer.BYTES + Sha256.BYTES && hasColumns(from, 1, from.position() + bytes)) {
      return Entry.dropped(position, column(from));
    }
    if (!hasColumns(from, COLUMNS, from.position() + bytes)) {
      return null;
    }
    return new Entry(
        position,
        text(from),
        text(from),
        text(from),
        text(from),
        text(from),
        text(from),
        column(from),
        column(from),
        column(from));
  }

  /** How long the entry is whose head is at the buffer's beginning. */
  static long length(ByteBuffer head) {
    return HEAD_BYTES + (long) head.getInt(0);
  }

  /** The checkpoint that fills the buffer's rest; null when there is none. */
  static @Nullable StoredCheckpoint readCheckpoint(ByteBuffer from) {
    if (from.remaining() < 2 * Long.BYTES) {
      return null;
    }
    long number = from.getLong();
    long size = from.getLong();
    return hasColumns(from, 2, from.limit())
        ? new StoredCheckpoint(number, size, text(from), column(from))
        : null;
  }

  /** Whether exactly so many columns are between the buffer's position and an end. */
  private static boolean hasColumns(ByteBuffer from, int count, int end) {
    int at = from.position();
    for (int i = 0; i < count; i++) {
      int length = end - at < Integer.BYTES ? -1 : from.getInt(at);
      if (length < 0 || length > end - at - Integer.BYTES) {
        return false;
      }
      at += Integer.BYTES + length;
    }
    return at == end;
  }

  private static String text(ByteBuffer from) {
    int length = from.getInt();
    int at = from.position();
    from.position(at + length);
    return new String(from.array(), from.arrayOffset() + at, length, UTF_8);
  }

  private static byte[] column(ByteBuffer from) {
    byte[] column = new byte[from.getInt()];
    from.get(column);
    return column;
  }
}
