package gatebook.events.journal.h2;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.Entry;
import gatebook.events.journal.StoredCheckpoint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Encodes the records of a {@link WriteAheadLog}, as the versions that wrote one did. */
final class LogRecords {
  private LogRecords() {}

  /** The records of one epoch, one after the other. */
  static byte[] encode(long epoch, List<CommittedBatch> batches) {
    List<byte[]> records = batches.stream().map(batch -> encode(epoch, batch)).toList();
    ByteBuffer all = ByteBuffer.allocate(records.stream().mapToInt(it -> it.length).sum());
    records.forEach(all::put);
    return all.array();
  }

  private static byte[] encode(long epoch, CommittedBatch batch) {
    List<byte[]> columns = columns(batch);
    int bytes =
        WriteAheadLog.HEADER_BYTES
            + columns.stream().mapToInt(column -> Integer.BYTES + column.length).sum();
    ByteBuffer record =
        ByteBuffer.allocate(bytes)
            .putInt(WriteAheadLog.MAGIC)
            .putInt(bytes)
            .putInt(0)
            .putInt(batch.entries().size())
            .putLong(epoch)
            .putLong(batch.first());
    columns.forEach(column -> record.putInt(column.length).put(column));
    record.flip();
    return record.putInt(WriteAheadLog.CHECKSUM_AT, WriteAheadLog.checksum(record)).array();
  }

  private static List<byte[]> columns(CommittedBatch batch) {
    List<byte[]> columns = new ArrayList<>();
    batch.entries().forEach(entry -> columns.addAll(columns(entry)));
    if (batch.checkpoint() != null) {
      columns.addAll(columns(batch.checkpoint()));
    }
    return columns;
  }

  private static List<byte[]> columns(Entry entry) {
    return List.of(
        entry.id().getBytes(UTF_8),
        entry.name().getBytes(UTF_8),
        entry.version().getBytes(UTF_8),
        entry.at().getBytes(UTF_8),
        entry.node().getBytes(UTF_8),
        entry.tags().getBytes(UTF_8),
        entry.payload(),
        entry.metadata(),
        entry.leaf());
  }

  private static List<byte[]> columns(StoredCheckpoint checkpoint) {
    return List.of(
        number(checkpoint.number()),
        number(checkpoint.size()),
        checkpoint.note().getBytes(UTF_8),
        checkpoint.hashes());
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
