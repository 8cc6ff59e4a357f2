package gatebook.events.journal.segment.file;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads compressed segments at the places that their bytes had before. Any thread may read, and
 * none waits while another one inflates.
 *
 * <p>What is read is what was compressed: a block that was changed since is never returned.
 */
public final class CompressedSegments {
  private static final int TABLES_MAX = 256;
  private static final float LOAD = 0.75f;

  /** A block is not as it was written. */
  static final class DamagedBlock extends IOException {
    @java.io.Serial private static final long serialVersionUID = 1L;

    private final String where;
    private final long from;
    private final long to;

    private DamagedBlock(String where, long from, long to) {
      super(where + " is damaged");
      this.where = where;
      this.from = from;
      this.to = to;
    }

    static DamagedBlock of(BlockTable table, Path file, int number) {
      long from = table.textAt(number);
      return new DamagedBlock(
          "block %d of %s, at byte %d"
              .formatted(number, file.getFileName(), table.starts()[number]),
          from,
          from + table.textBytes(number));
    }

    /** All blocks of a file whose table cannot be read. */
    static DamagedBlock ofTable(Path file) {
      return new DamagedBlock(
          "the table of blocks at the end of %s".formatted(file.getFileName()),
          SegmentHeader.BYTES,
          Long.MAX_VALUE);
    }

    /** The file, and the place in it. */
    String where() {
      return where;
    }

    /** Where the bytes begin in the segment that cannot be read. */
    long from() {
      return from;
    }

    /** Where they end. */
    long to() {
      return to;
    }
  }

  private final ReadHandles handles;
  private final BlockCache cache = new BlockCache();

  /**
   * How often a file was replaced: what was read before may be of the old file, and is not kept.
   */
  private volatile int replacements;

  private final Map<Long, BlockTable> tables =
      new LinkedHashMap<>(TABLES_MAX, LOAD, true) {
        @java.io.Serial private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, BlockTable> eldest) {
          return size() > TABLES_MAX;
        }
      };

  public CompressedSegments(ReadHandles handles) {
    this.handles = handles;
  }

  /** Whether a segment was read from its compressed file before, and is not anew. */
  boolean isKnown(long first) {
    return known(first) != null;
  }

  private @Nullable BlockTable known(long first) {
    synchronized (tables) {
      return tables.get(first);
    }
  }

  private BlockTable table(long first, Path file) throws IOException {
    BlockTable known = known(first);
    if (known != null) {
      return known;
    }
    int before = replacements;
    BlockTable read = BlockTable.read(handles, file);
    synchronized (tables) {
      if (replacements == before) {
        tables.put(first, read);
      }
    }
    return read;
  }

  /** Reads the file of a segment anew, since it was replaced. */
  public void forget(long first, Path file) {
    synchronized (tables) {
      replacements++;
      tables.remove(first);
      cache.forget(first);
    }
    handles.forget(file);
  }

  /**
   * How long the segment was before.
   *
   * @throws FileNotFoundException if it is not compressed
   */
  public long size(long first, Path file) throws IOException {
    return table(first, file).bytes();
  }

  /**
   * Fills the bytes from a position of the segment on.
   *
   * @throws DamagedBlock if one of them is in a block that is not as it was written
   * @throws FileNotFoundException if the segment is not compressed
   */
  public void readFully(long first, Path file, long position, byte[] bytes, int from, int length)
      throws IOException {
    int before = replacements;
    BlockTable table = table(first, file);
    long at = position;
    int into = from;
    int end = from + length;
    if (at < SegmentHeader.BYTES) {
      int header = (int) Math.min(length, SegmentHeader.BYTES - at);
      handles.readFully(file, at, bytes, into, header);
      at += header;
      into += header;
    }
    while (into < end) {
      int block = table.blockWith(at);
      if (block >= table.count()) {
        throw endOf(table, file, at);
      }
      int skipped = (int) (at - table.textAt(block));
      int count = Math.min(end - into, table.textBytes(block) - skipped);
      if (count <= 0) {
        throw endOf(table, file, at);
      }
      if (count == table.textBytes(block)) {
        inflate(table, file, block, bytes, into); // a reader in order does not need it again
      } else {
        System.arraycopy(text(first, table, file, block, before), skipped, bytes, into, count);
      }
      at += count;
      into += count;
    }
  }

  private static IOException endOf(BlockTable table, Path file, long at) {
    return table.isDamaged()
        ? DamagedBlock.ofTable(file)
        : new EOFException("%s ends before byte %d".formatted(file.getFileName(), at));
  }

  private byte[] text(long first, BlockTable table, Path file, int block, int before)
      throws IOException {
    byte[] known = cache.get(first, block);
    if (known != null) {
      return known;
    }
    byte[] text = new byte[table.textBytes(block)];
    inflate(table, file, block, text, 0);
    synchronized (tables) {
      if (replacements == before) {
        cache.put(first, block, text);
      }
    }
    return text;
  }

  private void inflate(BlockTable table, Path file, int block, byte[] into, int at)
      throws IOException {
    int length = table.textBytes(block);
    byte[] stored = new byte[table.storedBytes(block)];
    if (!isRead(table, file, block, stored)
        || !CompressedBlock.read(ByteBuffer.wrap(stored), into, at, length)) {
      throw table.isDamaged() ? DamagedBlock.ofTable(file) : DamagedBlock.of(table, file, block);
    }
  }

  private boolean isRead(BlockTable table, Path file, int block, byte[] stored) throws IOException {
    try {
      handles.readFully(file, table.starts()[block], stored, 0, stored.length);
    } catch (EOFException _) {
      return false; // the file was cut off since its table was read
    }
    return BlockTable.checksum(ByteBuffer.wrap(stored)) == table.checksums()[block];
  }
}
