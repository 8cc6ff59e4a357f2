package gatebook.events.journal.h2;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.Entry;
import gatebook.events.journal.StoredCheckpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;
import org.h2.store.fs.FilePath;
import org.jspecify.annotations.Nullable;

/**
 * The write-ahead log: a file beside the embedded database that holds what the database has not
 * forced yet. So making a transaction durable takes one write of its batch and one force, and the
 * database's pages are forced once for many transactions.
 *
 * <p>The log is overwritten from its beginning each time the database has forced everything; that
 * starts a new epoch. The records of one epoch share a random number and follow one another without
 * a gap in their positions, so that a record left from an earlier epoch is never read as part of a
 * later one. A partly written record is ignored.
 */
final class WriteAheadLog implements AutoCloseable {
  private static final int MAGIC = 0x47424C31;
  private static final int BYTES_AT = Integer.BYTES;
  private static final int CHECKSUM_AT = 2 * Integer.BYTES;
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int HEADER_BYTES = 4 * Integer.BYTES + 2 * Long.BYTES;

  private final String file;
  private @Nullable FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private long end;
  private long epoch;

  /**
   * @param file with the scheme of its H2 file system
   */
  WriteAheadLog(String file) {
    this.file = file;
  }

  /** The record of one batch, and where the next record begins. */
  private record LogRecord(long epoch, long first, CommittedBatch batch, long end) {
    boolean follows(@Nullable LogRecord before) {
      return before == null
          || (epoch == before.epoch && first == before.first + before.batch.entries().size());
    }
  }

  /** The bytes written in this epoch. */
  synchronized long bytes() {
    return end;
  }

  /** Writes a batch; it is durable after {@link #force}. */
  synchronized void append(CommittedBatch batch) throws IOException {
    ByteBuffer record = encode(batch, end == 0 ? newEpoch() : epoch);
    long position = end;
    while (record.hasRemaining()) {
      position += open().write(record, position);
    }
    end = position;
  }

  synchronized void force() throws IOException {
    open().force(false);
  }

  /** Starts a new epoch: the database has forced everything that the log holds. */
  synchronized void restart() {
    end = 0;
  }

  private long newEpoch() {
    epoch = ThreadLocalRandom.current().nextLong();
    return epoch;
  }

  /** The batches of the last epoch, in the order in which they were written. */
  synchronized List<CommittedBatch> read() throws IOException {
    List<CommittedBatch> all = new ArrayList<>();
    if (!FilePath.get(file).exists()) {
      return all;
    }
    LogRecord before = null;
    for (LogRecord next = read(0); next != null && next.follows(before); next = read(next.end)) {
      all.add(next.batch);
      before = next;
    }
    return all;
  }

  private FileChannel open() throws IOException {
    if (channel == null) {
      channel = FilePath.get(file).open("rw");
    }
    return channel;
  }

  private ByteBuffer encode(CommittedBatch batch, long recordEpoch) {
    List<byte[][]> rows = rows(batch);
    int bytes = HEADER_BYTES + rows.stream().mapToInt(WriteAheadLog::size).sum();
    ByteBuffer record = bufferOf(bytes);
    record
        .putInt(MAGIC)
        .putInt(bytes)
        .putInt(0)
        .putInt(batch.entries().size())
        .putLong(recordEpoch)
        .putLong(batch.first());
    for (byte[][] row : rows) {
      for (byte[] column : row) {
        record.putInt(column.length).put(column);
      }
    }
    record.flip();
    return record.putInt(CHECKSUM_AT, checksum(record));
  }

  private static List<byte[][]> rows(CommittedBatch batch) {
    List<byte[][]> rows = new ArrayList<>();
    batch.entries().forEach(entry -> rows.add(columns(entry)));
    if (batch.checkpoint() != null) {
      rows.add(columns(batch.checkpoint()));
    }
    return rows;
  }

  /** A buffer for a record, reused for all but the longest. */
  private ByteBuffer bufferOf(int bytes) {
    return bytes > buffer.capacity() ? ByteBuffer.allocate(bytes) : buffer.clear();
  }

  private static byte[][] columns(Entry entry) {
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

  private static byte[][] columns(StoredCheckpoint checkpoint) {
    return new byte[][] {
      number(checkpoint.number()),
      number(checkpoint.size()),
      checkpoint.note().getBytes(UTF_8),
      checkpoint.hashes()
    };
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static int size(byte[][] columns) {
    int bytes = 0;
    for (byte[] column : columns) {
      bytes += Integer.BYTES + column.length;
    }
    return bytes;
  }

  /** The checksum of everything but its own field. */
  private static int checksum(ByteBuffer record) {
    int after = CHECKSUM_AT + Integer.BYTES;
    CRC32C sum = new CRC32C();
    sum.update(record.slice(0, CHECKSUM_AT));
    sum.update(record.slice(after, record.limit() - after));
    return (int) sum.getValue();
  }

  /** The record that begins here; null when there is no complete one. */
  private @Nullable LogRecord read(long position) throws IOException {
    ByteBuffer header = read(position, HEADER_BYTES);
    if (header == null || header.getInt(0) != MAGIC) {
      return null;
    }
    int bytes = header.getInt(BYTES_AT);
    if (bytes < HEADER_BYTES || bytes > open().size() - position) {
      return null;
    }
    ByteBuffer record = read(position, bytes);
    return record == null || record.getInt(CHECKSUM_AT) != checksum(record)
        ? null
        : decode(record, position + bytes);
  }

  private @Nullable ByteBuffer read(long position, int bytes) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(bytes);
    while (into.hasRemaining()) {
      if (open().read(into, position + into.position()) < 0) {
        return null;
      }
    }
    return into.flip();
  }

  /** Decodes a record whose checksum is right. */
  private static LogRecord decode(ByteBuffer record, long end) {
    int count = record.position(CHECKSUM_AT + Integer.BYTES).getInt();
    long epoch = record.getLong();
    long first = record.getLong();
    List<Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      entries.add(entry(first + i, record));
    }
    StoredCheckpoint checkpoint = record.hasRemaining() ? checkpoint(record) : null;
    return new LogRecord(epoch, first, new CommittedBatch(entries, checkpoint), end);
  }

  private static Entry entry(long position, ByteBuffer from) {
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

  private static StoredCheckpoint checkpoint(ByteBuffer from) {
    return new StoredCheckpoint(number(from), number(from), text(from), column(from));
  }

  private static long number(ByteBuffer from) {
    return ByteBuffer.wrap(column(from)).getLong();
  }

  private static String text(ByteBuffer from) {
    return new String(column(from), UTF_8);
  }

  private static byte[] column(ByteBuffer from) {
    byte[] column = new byte[from.getInt()];
    from.get(column);
    return column;
  }

  /** Erases the log, so that no record can be read again. */
  synchronized void erase() throws IOException {
    end = 0;
    if (FilePath.get(file).exists()) {
      open().truncate(0);
      open().force(true);
    }
  }

  @Override
  public synchronized void close() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // everything acknowledged was forced before
    }
    channel = null;
  }
}
