package gatebook.events.journal.h2;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.Entry;
import gatebook.events.journal.StoredCheckpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The write-ahead log: a file beside an H2 database that holds the batches which the database had
 * not forced yet, as it was found.
 *
 * <p>It was overwritten from its beginning each time the database had forced everything; that began
 * a new epoch. The records of one epoch share a random number and follow one another without a gap
 * in their positions, so that a record left from an earlier epoch is never read as part of a later
 * one. A partly written record is ignored.
 */
final class WriteAheadLog {
  static final int MAGIC = 0x47424C31;
  static final int CHECKSUM_AT = 2 * Integer.BYTES;
  static final int HEADER_BYTES = 4 * Integer.BYTES + 2 * Long.BYTES;
  private static final int BYTES_AT = Integer.BYTES;

  private final FileChannel channel;

  private WriteAheadLog(FileChannel channel) {
    this.channel = channel;
  }

  /** The record of one batch, and where the next record begins. */
  private record LogRecord(long epoch, long first, CommittedBatch batch, long end) {
    boolean follows(@Nullable LogRecord before) {
      return before == null
          || (epoch == before.epoch && first == before.first + before.batch.entries().size());
    }
  }

  /** The batches of the last epoch, in the order in which they were written. */
  static List<CommittedBatch> read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    try (FileChannel channel = FileChannel.open(file)) {
      return new WriteAheadLog(channel).read();
    }
  }

  private List<CommittedBatch> read() throws IOException {
    List<CommittedBatch> all = new ArrayList<>();
    LogRecord before = null;
    for (LogRecord next = read(0); next != null && next.follows(before); next = read(next.end)) {
      all.add(next.batch);
      before = next;
    }
    return all;
  }

  /** The checksum of everything but its own field. */
  static int checksum(ByteBuffer record) {
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
    if (bytes < HEADER_BYTES || bytes > channel.size() - position) {
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
      if (channel.read(into, position + into.position()) < 0) {
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
}
