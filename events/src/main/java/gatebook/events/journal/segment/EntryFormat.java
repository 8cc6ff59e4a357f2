package gatebook.events.journal.segment;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.Entry;
import gatebook.events.journal.StoredCheckpoint;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The format of one entry, and of one checkpoint, inside a record: its number in the segment, then
 * its columns, each after its length.
 */
final class EntryFormat {
  /** The length of the entry, and its number. */
  static final int HEAD_BYTES = 2 * Integer.BYTES;

  private static final int COLUMNS = 9;

  private EntryFormat() {}

  /** Where the text of an entry's id begins. */
  static long idAt(int entryAt) {
    return (long) entryAt + HEAD_BYTES + Integer.BYTES;
  }

  static byte[][] columns(Entry entry) {
    return new byte[][] {
      entry.id().getBytes(UTF_8),
      entry.name().getBytes(UTF_8),
      entry.version().getBytes(UTF_8),
      entry.at().getBytes(UTF_8),
      entry.node().getBytes(UTF_8),
      entry.tags().getBytes(UTF_8),
      entry.payload(),
      entry.metadata(),
      entry.leaf()
    };
  }

  static byte[][] columns(StoredCheckpoint checkpoint) {
    return new byte[][] {checkpoint.note().getBytes(UTF_8), checkpoint.hashes()};
  }

  static long bytes(byte[][] columns) {
    long bytes = 0;
    for (byte[] column : columns) {
      bytes += Integer.BYTES + column.length;
    }
    return bytes;
  }

  static void put(byte[][] columns, ByteBuffer into) {
    for (byte[] column : columns) {
      into.putInt(column.length).put(column);
    }
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
    int end = from.position() + bytes;
    byte[][] columns = columns(from, end, COLUMNS);
    if (columns == null || from.position() != end) {
      return null;
    }
    return new Entry(
        position,
        new String(columns[0], UTF_8),
        new String(columns[1], UTF_8),
        new String(columns[2], UTF_8),
        new String(columns[3], UTF_8),
        new String(columns[4], UTF_8),
        new String(columns[5], UTF_8),
        columns[6],
        columns[7],
        columns[8]);
  }

  /** The checkpoint that fills the buffer's rest; null when there is none. */
  static @Nullable StoredCheckpoint readCheckpoint(ByteBuffer from) {
    if (from.remaining() < 2 * Long.BYTES) {
      return null;
    }
    long number = from.getLong();
    long size = from.getLong();
    byte[][] columns = columns(from, from.limit(), 2);
    return columns == null || from.hasRemaining()
        ? null
        : new StoredCheckpoint(number, size, new String(columns[0], UTF_8), columns[1]);
  }

  private static byte @Nullable [][] columns(ByteBuffer from, int end, int count) {
    byte[][] columns = new byte[count][];
    for (int i = 0; i < count; i++) {
      if (end - from.position() < Integer.BYTES) {
        return null;
      }
      int length = from.getInt();
      if (length < 0 || length > end - from.position()) {
        return null;
      }
      columns[i] = new byte[length];
      from.get(columns[i]);
    }
    return columns;
  }
}
