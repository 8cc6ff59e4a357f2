package gatebook.events.journal.segment.file;

import gatebook.events.journal.segment.file.CompressedSegments.DamagedBlock;
import gatebook.events.journal.storage.SnapshotPart.DamagedRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A scan of the records of a segment, from the first to the last, that trusts nothing but what it
 * reads.
 *
 * <p>A damaged record is read as far as its structure is right, or skipped, if a whole one follows.
 * If none follows, the segment ends before it: it was being written when the power was lost. A
 * record with bytes that cannot be read is skipped.
 */
public final class SegmentScan {
  /** More positions than this are never skipped at once. */
  public static final long GAP_MAX = 1_000_000;

  private static final int BLOCK_BYTES = 1 << 20;

  private final SegmentFiles files;
  private final SegmentHeader header;
  private final long limit;
  private byte[] block = new byte[0];
  private long blockAt;
  private long at = SegmentHeader.BYTES;
  private long expected;
  private boolean torn;
  private @Nullable DamagedRecord lost;

  /** What cannot be read: blocks of a compressed segment that are damaged, by where they begin. */
  private final SortedMap<Long, DamagedBlock> damagedBlocks = new TreeMap<>();

  /**
   * @param limit the end of the bytes to scan
   */
  SegmentScan(SegmentFiles files, SegmentHeader header, long limit) {
    this.files = files;
    this.header = header;
    this.limit = limit;
    this.expected = header.first();
  }

  /** Where the records end that were read so far. */
  public long end() {
    return at;
  }

  /** After the last record: whether other bytes than zeros follow it. */
  public boolean isTorn() {
    return torn;
  }

  /** The next record; null after the last. */
  public @Nullable BatchRecord next() throws IOException {
    BatchRecord record = recordAt(at);
    if (record != null && follows(record) && (record.intact() || findIntact(record.end()) >= 0)) {
      return accept(record);
    }
    if (isZeroFrom(at)) {
      noteLost(limit, Long.MAX_VALUE);
      return null;
    }
    long later = findIntact(at + 1);
    if (later < 0) {
      torn = true;
      noteLost(limit, Long.MAX_VALUE);
      return null;
    }
    BatchRecord found = recordAt(later);
    return found == null ? null : accept(found);
  }

  private BatchRecord accept(BatchRecord record) {
    noteLost(record.at(), record.first() - 1);
    at = record.end();
    expected = record.next();
    return record;
  }

  /**
   * The events between the last two records that cannot be read, since blocks are damaged; empty
   * when there are none. After the last record it has no end.
   */
  public Optional<DamagedRecord> lost() {
    return Optional.ofNullable(lost);
  }

  /** The position after the last event that was read so far. */
  public long nextPosition() {
    return expected;
  }

  private void noteLost(long next, long last) {
    lost =
        next > at
            ? damagedIn(at, next)
                .map(it -> new DamagedRecord(expected, last, it.where()))
                .orElse(null)
            : null;
  }

  private boolean follows(BatchRecord record) {
    return record.first() >= expected && record.first() - expected <= GAP_MAX;
  }

  private @Nullable BatchRecord recordAt(long from) throws IOException {
    if (limit - from < BatchRecord.HEAD_BYTES) {
      return null;
    }
    BatchRecord.Head head =
        BatchRecord.Head.read(read(from, BatchRecord.HEAD_BYTES), header.salt());
    if (head == null || head.bytes() > limit - from) {
      return null;
    }
    ByteBuffer bytes = read(from, head.bytes());
    return isDamaged(from, from + head.bytes()) ? null : BatchRecord.decode(bytes, from, header);
  }

  /** Where the next whole record begins that can follow the last one; -1 when there is none. */
  private long findIntact(long from) throws IOException {
    long searched = from;
    while (limit - searched >= BatchRecord.HEAD_BYTES) {
      int length = (int) Math.min(BLOCK_BYTES, limit - searched);
      ByteBuffer bytes = read(searched, length);
      int found = BatchRecord.find(bytes, 0, header.salt());
      if (found < 0) {
        searched += length - BatchRecord.HEAD_BYTES + 1;
      } else {
        BatchRecord record = recordAt(searched + found);
        if (record != null && record.intact() && follows(record)) {
          return searched + found;
        }
        searched += found + 1;
      }
    }
    return -1;
  }

  private boolean isZeroFrom(long from) throws IOException {
    for (long searched = from; searched < limit; searched += BLOCK_BYTES) {
      ByteBuffer bytes = read(searched, (int) Math.min(BLOCK_BYTES, limit - searched));
      while (bytes.hasRemaining()) {
        if (bytes.get() != 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** A buffer with exactly these bytes, valid until the next call. */
  private ByteBuffer read(long from, int length) throws IOException {
    if (from < blockAt || from + length > blockAt + block.length) {
      int bytes = (int) Math.max(length, Math.min(BLOCK_BYTES, limit - from));
      block = block.length == bytes ? block : new byte[bytes];
      blockAt = from;
      fill(from);
    }
    return ByteBuffer.wrap(block, (int) (from - blockAt), length).slice();
  }

  /** Fills the buffer, with zeros where it cannot be read. */
  private void fill(long from) throws IOException {
    long at = from;
    int done = 0;
    while (done < block.length) {
      try {
        files.readFully(header.first(), at, block, done, block.length - done);
        return;
      } catch (DamagedBlock e) {
        damagedBlocks.put(e.from(), e);
        int readable = (int) Math.max(0, e.from() - at);
        files.readFully(header.first(), at, block, done, readable);
        int end = (int) Math.min(block.length, done + (e.to() - at));
        Arrays.fill(block, done + readable, end, (byte) 0);
        at += end - done;
        done = end;
      }
    }
  }

  /** Whether some of these bytes cannot be read; known of what was read. */
  private boolean isDamaged(long from, long to) {
    return damagedIn(from, to).isPresent();
  }

  private Optional<DamagedBlock> damagedIn(long from, long to) {
    return damagedBlocks.headMap(to).values().stream().filter(it -> it.to() > from).findFirst();
  }
}
