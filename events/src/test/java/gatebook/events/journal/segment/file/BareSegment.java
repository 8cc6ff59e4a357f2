package gatebook.events.journal.segment.file;

import gatebook.events.journal.AppendSample;
import gatebook.events.journal.AppendSubject;
import gatebook.events.journal.BatchLoop;
import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.segment.SegmentDisk;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A bare loop over segments, the most that they could do without a journal: one thread encodes
 * prepared entries into records, writes and forces each, and begins a new segment when one is full.
 */
public final class BareSegment implements AppendSubject {
  private static final int ENTRIES = 4_096;
  private static final int PAYLOAD_BYTES = 600;
  private static final int ALLOCATED_BYTES = 1 << 20;
  private static final long SEGMENT_BYTES = 64L << 20;

  private final Path directory;
  private final List<Entry> prepared = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
  private SegmentHeader header = SegmentHeader.after(new RightEdge());
  private SegmentDisk.WrittenFile file;
  private long end;
  private long allocated;
  private long position;
  private int segments;

  public BareSegment(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
    for (int i = 0; i < ENTRIES; i++) {
      prepared.add(entry(i));
    }
    this.file = begin();
  }

  private SegmentDisk.WrittenFile begin() throws IOException {
    header = new SegmentHeader(position + 1, position, new RightEdge());
    SegmentDisk.WrittenFile next = SegmentDisk.LOCAL.open(directory.resolve("bare" + segments++));
    next.write(header.encode(), 0);
    end = SegmentHeader.BYTES;
    allocated = end;
    return next;
  }

  private static Entry entry(long at) {
    return new Entry(
        at,
        "0199a1b2-0001-7000-8000-000000000001",
        "gatebook.call.Denied",
        "1",
        "2026-01-02T03:04:05.000000000Z",
        "node-1",
        "call:0199a1b2-0000-7000-8000-000000000001",
        new byte[PAYLOAD_BYTES],
        new byte[2],
        new byte[32]);
  }

  @Override
  public AppendSample measure(int callers, double eventsPerBatch, long millis) throws IOException {
    return new BatchLoop<>(this::write).measure(position, eventsPerBatch, millis);
  }

  private void write(long upTo) throws IOException {
    List<Entry> batch = new ArrayList<>();
    while (position < upTo) {
      Entry entry = prepared.get((int) (position++ % ENTRIES));
      batch.add(entry.movedTo(position));
    }
    ByteBuffer record = BatchRecord.encode(new CommittedBatch(batch, null), header, buffer).bytes();
    int length = record.remaining();
    if (end + length > allocated) {
      file.write(ByteBuffer.allocate(Math.max(length, ALLOCATED_BYTES)), allocated);
      allocated += Math.max(length, ALLOCATED_BYTES);
    }
    file.write(record, end);
    file.force();
    end += length;
    if (end > SEGMENT_BYTES) {
      file.close();
      file = begin();
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
