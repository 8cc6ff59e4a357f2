package gatebook.events.journal.segment.file;

import gatebook.events.journal.storage.NewerFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * The table at the end of a compressed segment: where each block is, its checksum (CRC-32C), and of
 * which bytes of the segment it is made. Blocks follow each other without a gap.
 *
 * @param bytes how long the segment is that was compressed
 * @param blockBytes how many bytes of it are in each block but the last
 * @param starts where each block begins in the file, and after the last where it ends
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BlockTable(long bytes, int blockBytes, long[] starts, int[] checksums) {
  private static final long MAGIC = 0x4741_5445_425A_4950L;
  private static final int VERSION = 1;
  private static final int LINE_BYTES = 2 * Integer.BYTES;
  private static final int FOOTER_BYTES = 2 * Long.BYTES + 3 * Integer.BYTES;

  /** That of a file which cannot be read: it has one block, and that one is damaged. */
  static final BlockTable DAMAGED =
      new BlockTable(
          SegmentHeader.BYTES + 1L,
          1,
          new long[] {SegmentHeader.BYTES, SegmentHeader.BYTES},
          new int[1]);

  /** Whether the file cannot be read; no other one has such small blocks. */
  boolean isDamaged() {
    return blockBytes == DAMAGED.blockBytes;
  }

  public int count() {
    return checksums.length;
  }

  /** The number of the block with a byte of the segment. */
  int blockWith(long at) {
    return (int) ((at - SegmentHeader.BYTES) / blockBytes);
  }

  /** Where the text of a block begins in the segment. */
  public long textAt(int block) {
    return SegmentHeader.BYTES + (long) block * blockBytes;
  }

  public int textBytes(int block) {
    return (int) Math.min(blockBytes, bytes - textAt(block));
  }

  int storedBytes(int block) {
    return (int) (starts[block + 1] - starts[block]);
  }

  /** The table of a file whose blocks are written next. */
  public static BlockTable empty(long bytes, int blockBytes) {
    int count = count(bytes, blockBytes);
    long[] starts = new long[count + 1];
    starts[0] = SegmentHeader.BYTES;
    return new BlockTable(bytes, blockBytes, starts, new int[count]);
  }

  /** Adds a block after the one before. */
  public void put(int block, ByteBuffer stored) {
    starts[block + 1] = starts[block] + stored.remaining();
    checksums[block] = checksum(stored);
  }

  /** The checksum of a block, whose bytes remain in the buffer. */
  static int checksum(ByteBuffer stored) {
    CRC32C sum = new CRC32C();
    sum.update(stored.duplicate());
    return (int) sum.getValue();
  }

  private static int count(long bytes, int blockBytes) {
    return (int) ((bytes - SegmentHeader.BYTES + blockBytes - 1) / blockBytes);
  }

  public ByteBuffer encode() {
    ByteBuffer encoded = ByteBuffer.allocate(count() * LINE_BYTES + FOOTER_BYTES);
    for (int block = 0; block < count(); block++) {
      encoded.putInt(storedBytes(block)).putInt(checksums[block]);
    }
    encoded.putLong(MAGIC).putInt(VERSION).putInt(blockBytes).putLong(bytes);
    return encoded.putInt(checksum(encoded.duplicate().flip())).flip();
  }

  /**
   * The table of a file.
   *
   * @return {@link #DAMAGED} when it is not as it was written
   */
  static BlockTable read(ReadHandles handles, Path file) throws IOException {
    long end = handles.size(file);
    if (end < SegmentHeader.BYTES + FOOTER_BYTES) {
      return DAMAGED;
    }
    ByteBuffer footer = read(handles, file, end - FOOTER_BYTES, FOOTER_BYTES);
    boolean isFooter = footer.getLong() == MAGIC;
    int version = footer.getInt();
    int blockBytes = footer.getInt();
    long bytes = footer.getLong();
    if (!isFooter
        || blockBytes <= DAMAGED.blockBytes
        || bytes < SegmentHeader.BYTES
        || bytes > Integer.MAX_VALUE) {
      return DAMAGED;
    }
    int count = count(bytes, blockBytes);
    long length = (long) count * LINE_BYTES + FOOTER_BYTES;
    if (length > end - SegmentHeader.BYTES) {
      return DAMAGED;
    }
    ByteBuffer encoded = read(handles, file, end - length, (int) length);
    encoded.position(encoded.limit() - Integer.BYTES);
    if (checksum(encoded.duplicate().flip()) != encoded.getInt()) {
      return DAMAGED;
    }
    if (version != VERSION) {
      throw new IOException(
          NewerFormat.sentence(String.valueOf(file.getFileName()), version, VERSION));
    }
    return decode(encoded.rewind(), bytes, blockBytes, count, end - length);
  }

  private static BlockTable decode(
      ByteBuffer lines, long bytes, int blockBytes, int count, long blocksEnd) {
    long[] starts = new long[count + 1];
    int[] checksums = new int[count];
    starts[0] = SegmentHeader.BYTES;
    for (int block = 0; block < count; block++) {
      int length = lines.getInt();
      if (length < 0) {
        return DAMAGED;
      }
      starts[block + 1] = starts[block] + length;
      checksums[block] = lines.getInt();
    }
    return starts[count] == blocksEnd
        ? new BlockTable(bytes, blockBytes, starts, checksums)
        : DAMAGED;
  }

  private static ByteBuffer read(ReadHandles handles, Path file, long at, int length)
      throws IOException {
    byte[] bytes = new byte[length];
    handles.readFully(file, at, bytes, 0, length);
    return ByteBuffer.wrap(bytes);
  }
}
