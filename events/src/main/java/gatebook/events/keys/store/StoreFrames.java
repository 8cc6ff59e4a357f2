package gatebook.events.keys.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a file of content keys, which follow its header: the file's salt, the length of the
 * records in it, their checksum, and the records. What is forced at once is one frame, so that a
 * frame is there whole or is the last, of a process that was killed.
 */
final class StoreFrames {

  private static final int LENGTH_AT = Long.BYTES;
  private static final int CHECKSUM_AT = LENGTH_AT + Integer.BYTES;
  private static final int RECORDS_AT = CHECKSUM_AT + Integer.BYTES;
  private static final int SCAN_BYTES = 1 << 20;

  private final FileChannel file;
  private final long salt;
  private final long size;
  private long end = StoreHeader.BYTES;

  StoreFrames(FileChannel file, long salt) throws IOException {
    this.file = file;
    this.salt = salt;
    this.size = file.size();
  }

  static ByteBuffer encode(long salt, byte[] records) {
    ByteBuffer frame = ByteBuffer.allocate(RECORDS_AT + records.length);
    frame.putLong(salt).putInt(records.length).putInt(0).put(records);
    frame.putInt(CHECKSUM_AT, checksum(frame, records.length));
    return frame.clear();
  }

  /** The records of the next frame; null when there is no whole frame. */
  @Nullable ByteBuffer next() throws IOException {
    ByteBuffer records = frameAt(end);
    if (records != null) {
      end += RECORDS_AT + records.limit();
    }
    return records;
  }

  /** Where the last whole frame ends. */
  long end() {
    return end;
  }

  /** Whether there is a whole frame after what follows the last whole frame of before. */
  boolean isFollowed() throws IOException {
    for (long at = end + 1; at < size; at += SCAN_BYTES) {
      ByteBuffer bytes = read(at, (int) Math.min(size - at, SCAN_BYTES + Long.BYTES - 1));
      for (int i = 0; bytes != null && i + Long.BYTES <= bytes.limit(); i++) {
        if (bytes.getLong(i) == salt && frameAt(at + i) != null) {
          return true;
        }
      }
    }
    return false;
  }

  private @Nullable ByteBuffer frameAt(long at) throws IOException {
    ByteBuffer head = read(at, RECORDS_AT);
    if (head == null || head.getLong(0) != salt) {
      return null;
    }
    int length = head.getInt(LENGTH_AT);
    if (length < 0 || at + RECORDS_AT + length > size) {
      return null;
    }
    ByteBuffer frame = read(at, RECORDS_AT + length);
    return frame == null || frame.getInt(CHECKSUM_AT) != checksum(frame, length)
        ? null
        : frame.slice(RECORDS_AT, length);
  }

  private @Nullable ByteBuffer read(long at, int length) throws IOException {
    if (at + length > size) {
      return null;
    }
    byte[] bytes = read(file, at, length);
    return bytes.length < length ? null : ByteBuffer.wrap(bytes);
  }

  /** The bytes at a place of a file; fewer at its end. */
  static byte[] read(FileChannel file, long at, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(new byte[length]);
    while (bytes.hasRemaining() && file.read(bytes, at + bytes.position()) >= 0) {
      // reads until the buffer is full
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  private static int checksum(ByteBuffer frame, int length) {
    CRC32C sum = new CRC32C();
    sum.update(frame.slice(0, CHECKSUM_AT));
    sum.update(frame.slice(RECORDS_AT, length));
    return (int) sum.getValue();
  }
}
