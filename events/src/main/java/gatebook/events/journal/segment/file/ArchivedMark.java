package gatebook.events.journal.segment.file;

import gatebook.events.journal.tree.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;

/**
 * The mark of an archived segment: what is known of it without its file, which is in the archive
 * only.
 *
 * <p>As a file it has the header of the segment, how long the segment is (8 bytes), a digest of
 * both (32), and the stamp of the file that is in the archive, up to the end.
 *
 * @param header the bytes of the segment's header
 * @param bytes how long the segment is, not compressed
 * @param stamp the signed note
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ArchivedMark(byte[] header, long bytes, byte[] stamp) {
  private static final int STAMP_AT = SegmentHeader.BYTES + Long.BYTES + Sha256.BYTES;
  private static final int BYTES_MAX = STAMP_AT + (1 << 16);

  static ArchivedMark read(Path file) throws IOException {
    byte[] read = Files.size(file) > BYTES_MAX ? new byte[0] : Files.readAllBytes(file);
    return decode(read)
        .orElseThrow(() -> new IOException("%s is damaged".formatted(file.getFileName())));
  }

  /** Empty when the bytes are not a whole mark. */
  public static Optional<ArchivedMark> decode(byte[] read) {
    if (read.length <= STAMP_AT
        || !Arrays.equals(
            digest(read), Arrays.copyOfRange(read, STAMP_AT - Sha256.BYTES, STAMP_AT))) {
      return Optional.empty();
    }
    return Optional.of(
        new ArchivedMark(
            Arrays.copyOf(read, SegmentHeader.BYTES),
            ByteBuffer.wrap(read).getLong(SegmentHeader.BYTES),
            Arrays.copyOfRange(read, STAMP_AT, read.length)));
  }

  /** The mark of a segment that is still there, as the bytes of a file. */
  public static byte[] encode(SegmentFiles files, long first, byte[] stamp) throws IOException {
    byte[] bytes = new byte[STAMP_AT + stamp.length];
    files.readFully(first, 0, bytes, 0, SegmentHeader.BYTES);
    ByteBuffer.wrap(bytes).putLong(SegmentHeader.BYTES, files.size(first));
    System.arraycopy(digest(bytes), 0, bytes, STAMP_AT - Sha256.BYTES, Sha256.BYTES);
    System.arraycopy(stamp, 0, bytes, STAMP_AT, stamp.length);
    return bytes;
  }

  /** The header of the segment; empty when it is damaged. */
  public Optional<SegmentHeader> segmentHeader() {
    return SegmentHeader.decode(ByteBuffer.wrap(header));
  }

  /** Whether both say the same. */
  public boolean hasBytesOf(ArchivedMark other) {
    return bytes == other.bytes
        && Arrays.equals(header, other.header)
        && Arrays.equals(stamp, other.stamp);
  }

  private static byte[] digest(byte[] mark) {
    return Sha256.of(Arrays.copyOf(mark, STAMP_AT - Sha256.BYTES));
  }

  /** Writes the mark of a segment that is still there. A crash leaves none, or the whole one. */
  public static void write(SegmentFiles files, long first, byte[] stamp) throws IOException {
    byte[] bytes = encode(files, first, stamp);
    Path file = files.archivedMark(first);
    Path draft = SegmentFiles.draft(file);
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer left = ByteBuffer.wrap(bytes);
      while (left.hasRemaining()) {
        channel.write(left);
      }
      channel.force(true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    files.forceDirectory();
  }
}
