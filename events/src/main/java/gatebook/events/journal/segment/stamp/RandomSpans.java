package gatebook.events.journal.segment.stamp;

import gatebook.events.journal.segment.file.BatchRecord;
import gatebook.events.journal.segment.file.EntryFormat;
import gatebook.events.journal.segment.file.RandomSpan;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The random spans that each entry of a segment has: its id and its leaf. Where the segment is not
 * as records are written, none are found.
 */
final class RandomSpans {
  private static final int LEAF_COLUMN_BYTES = Integer.BYTES + RandomSpan.HASH_BYTES;

  private final SegmentFiles files;
  private final SegmentHeader header;
  private final long end;
  private final ArrayDeque<RandomSpan> found = new ArrayDeque<>();
  private long recordAt = SegmentHeader.BYTES;
  private byte[] record = new byte[BatchRecord.HEAD_BYTES];

  /**
   * @param end where the segment ends
   */
  RandomSpans(SegmentFiles files, SegmentHeader header, long end) {
    this.files = files;
    this.header = header;
    this.end = end;
  }

  /** Those that are whole between two places, which only ascend. */
  List<RandomSpan> between(long from, long to) throws IOException {
    while (recordAt < end && (found.isEmpty() || found.getLast().end() < to)) {
      recordAt = findInRecord();
    }
    List<RandomSpan> spans = new ArrayList<>();
    while (!found.isEmpty() && found.getFirst().at() < to) {
      RandomSpan span = found.removeFirst();
      if (span.at() >= from && span.end() <= to) {
        spans.add(span);
      }
    }
    return spans;
  }

  /** Finds those of a record, and returns where the next one begins. */
  private long findInRecord() throws IOException {
    if (end - recordAt < BatchRecord.HEAD_BYTES) {
      return end;
    }
    BatchRecord.Head head = BatchRecord.Head.read(read(BatchRecord.HEAD_BYTES), header.salt());
    if (head == null || head.bytes() > end - recordAt) {
      return end;
    }
    ByteBuffer entries = read(head.bytes()).position(BatchRecord.HEAD_BYTES);
    for (int i = 0; i < head.count(); i++) {
      int length = entries.remaining() < EntryFormat.HEAD_BYTES ? -1 : entries.getInt();
      if (length < EntryFormat.BYTES_MIN || length > entries.remaining() - Integer.BYTES) {
        return end;
      }
      int idAt = entries.position() + Integer.BYTES;
      int entryEnd = idAt + length;
      find(entries, idAt, RandomSpan.UUID_BYTES, RandomSpan.Kind.UUID);
      find(entries, entryEnd - LEAF_COLUMN_BYTES, RandomSpan.HASH_BYTES, RandomSpan.Kind.HASH);
      entries.position(entryEnd);
    }
    return recordAt + head.bytes();
  }

  /** Adds a column, if it is as long as its kind is. */
  private void find(ByteBuffer entries, int columnAt, int bytes, RandomSpan.Kind kind) {
    if (entries.getInt(columnAt) == bytes) {
      found.add(new RandomSpan(recordAt + columnAt + Integer.BYTES, bytes, kind));
    }
  }

  private ByteBuffer read(int length) throws IOException {
    if (record.length < length) {
      record = new byte[length];
    }
    files.readFully(header.first(), recordAt, record, 0, length);
    return ByteBuffer.wrap(record, 0, length).slice();
  }
}
