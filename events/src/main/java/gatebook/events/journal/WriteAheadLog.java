package gatebook.events.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;
import org.h2.store.fs.FilePath;
import org.jspecify.annotations.Nullable;

/**
 * A file beside the embedded database that holds what the database itself has not forced yet, so
 * that making a transaction durable is one write of what it added and one force, and the database's
 * pages are forced once for many.
 *
 * <p>It is written over from its beginning each time the database caught up. The records of one
 * such time share a random number and follow one another without a gap in their positions, so that
 * nothing that was left of an earlier time is ever taken for the end of a later one; a record that
 * was written in part is none.
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
  private long time;

  /**
   * @param file with the name of H2's file system that it is on
   */
  WriteAheadLog(String file) {
    this.file = file;
  }

  /** One transaction's record, and where the next one is. */
  private record Written(long time, long first, CommittedBatch addition, long end) {
    boolean follows(@Nullable Written before) {
      return before == null
          || (time == before.time && first == before.first + before.addition.entries().size());
    }
  }

  /** How much has been written since the database caught up last. */
  synchronized long bytes() {
    return end;
  }

  /** Writes what a transaction added; it is durable after {@link #force}. */
  synchronized void append(CommittedBatch committedBatch) throws IOException {
    ByteBuffer record = encoded(committedBatch, end == 0 ? anotherTime() : time);
    long position = end;
    while (record.hasRemaining()) {
      position += opened().write(record, position);
    }
    end = position;
  }

  synchronized void force() throws IOException {
    opened().force(false);
  }

  /** The database caught up: what is here is not needed any longer. */
  synchronized void restart() {
    end = 0;
  }

  private long anotherTime() {
    time = ThreadLocalRandom.current().nextLong();
    return time;
  }

  /** What it holds, in the order in which it was written. */
  synchronized List<CommittedBatch> read() throws IOException {
    List<CommittedBatch> all = new ArrayList<>();
    if (!FilePath.get(file).exists()) {
      return all;
    }
    Written before = null;
    for (Written next = read(0); next != null && next.follows(before); next = read(next.end)) {
      all.add(next.addition);
      before = next;
    }
    return all;
  }

  private FileChannel opened() throws IOException {
    if (channel == null) {
      channel = FilePath.get(file).open("rw");
    }
    return channel;
  }

  private ByteBuffer encoded(CommittedBatch committedBatch, long recordTime) {
    List<byte[][]> rows = rows(committedBatch);
    int bytes = HEADER_BYTES + rows.stream().mapToInt(WriteAheadLog::size).sum();
    ByteBuffer record = cleared(bytes);
    record
        .putInt(MAGIC)
        .putInt(bytes)
        .putInt(0)
        .putInt(committedBatch.entries().size())
        .putLong(recordTime)
        .putLong(first(committedBatch));
    for (byte[][] row : rows) {
      for (byte[] column : row) {
        record.putInt(column.length).put(column);
      }
    }
    record.flip();
    return record.putInt(CHECKSUM_AT, checksum(record));
  }

  /** Without events, the position that the next one will have. */
  private static long first(CommittedBatch committedBatch) {
    return committedBatch.entries().isEmpty()
        ? Objects.requireNonNull(committedBatch.checkpoint(), "nothing was added").size() + 1
        : committedBatch.entries().getFirst().position();
  }

  private static List<byte[][]> rows(CommittedBatch committedBatch) {
    List<byte[][]> rows = new ArrayList<>();
    committedBatch.entries().forEach(entry -> rows.add(columns(entry)));
    if (committedBatch.checkpoint() != null) {
      rows.add(columns(committedBatch.checkpoint()));
    }
    return rows;
  }

  /** One that serves all but the longest records again and again. */
  private ByteBuffer cleared(int bytes) {
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

  /** Over everything but the place where it is kept. */
  private static int checksum(ByteBuffer record) {
    int after = CHECKSUM_AT + Integer.BYTES;
    CRC32C sum = new CRC32C();
    sum.update(record.slice(0, CHECKSUM_AT));
    sum.update(record.slice(after, record.limit() - after));
    return (int) sum.getValue();
  }

  /** The record that begins here; null when none does that is whole. */
  private @Nullable Written read(long position) throws IOException {
    ByteBuffer header = read(position, HEADER_BYTES);
    if (header == null || header.getInt(0) != MAGIC) {
      return null;
    }
    int bytes = header.getInt(BYTES_AT);
    if (bytes < HEADER_BYTES || bytes > opened().size() - position) {
      return null;
    }
    ByteBuffer record = read(position, bytes);
    return record == null || record.getInt(CHECKSUM_AT) != checksum(record)
        ? null
        : decoded(record, position + bytes);
  }

  private @Nullable ByteBuffer read(long position, int bytes) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(bytes);
    while (into.hasRemaining()) {
      if (opened().read(into, position + into.position()) < 0) {
        return null;
      }
    }
    return into.flip();
  }

  /** Of a record whose checksum is right. */
  private static Written decoded(ByteBuffer record, long end) {
    int count = record.position(CHECKSUM_AT + Integer.BYTES).getInt();
    long time = record.getLong();
    long first = record.getLong();
    List<Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      entries.add(entry(first + i, record));
    }
    StoredCheckpoint checkpoint = record.hasRemaining() ? checkpoint(record) : null;
    return new Written(time, first, new CommittedBatch(entries, checkpoint), end);
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

  /** Leaves nothing that could be read again. */
  synchronized void erase() throws IOException {
    end = 0;
    if (FilePath.get(file).exists()) {
      opened().truncate(0);
      opened().force(true);
    }
  }

  @Override
  public synchronized void close() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // what was acknowledged was forced before
    }
    channel = null;
  }
}
