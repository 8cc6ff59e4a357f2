package gatebook.events.journal.segment;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.segment.file.BatchRecord;
import gatebook.events.journal.segment.file.MemoryIndex;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.SegmentHeader;
import gatebook.events.journal.segment.file.SegmentScan;
import gatebook.events.journal.segment.file.Segments;
import gatebook.events.journal.storage.Durability;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The active segment: the last one, which is written. Belongs to the writer's thread. */
final class ActiveSegment implements AutoCloseable {
  /**
   * The free space on the disk that is needed before a journal that failed to write is used again.
   */
  private static final int ROOM_BYTES = 1 << 16;

  /** The size of one allocation. */
  private static final int ALLOCATED_BYTES = 1 << 20;

  private static final byte[] ZEROS = new byte[1 << 16];

  private final SegmentStorage storage;
  private final SegmentDisk.WrittenFile file;
  private final SegmentHeader header;
  private final Segment segment;
  private final MemoryIndex index;
  private final RightEdge edge;
  private long end;

  /** The end of the allocated blocks; after the records they hold zeros. */
  private long allocated;

  /** Whether something else than zeros follows the records. */
  private boolean hasTail;

  private ActiveSegment(
      SegmentStorage storage,
      SegmentDisk.WrittenFile file,
      SegmentHeader header,
      MemoryIndex index,
      RightEdge edge,
      boolean hasTail)
      throws IOException {
    this.storage = storage;
    this.file = file;
    this.header = header;
    this.index = index;
    this.edge = edge;
    this.segment = Segment.active(storage.files(), header, index);
    this.end = index.extent().end();
    this.allocated = file.size();
    this.hasTail = hasTail;
  }

  /**
   * Opens the last segment of the files, and shows all segments to readers.
   *
   * @param again after a failure: then there must be room for more
   */
  static ActiveSegment open(SegmentStorage storage, boolean again) throws IOException {
    storage.requireInPlace();
    List<Long> firsts = new ArrayList<>(storage.files().firsts());
    SegmentHeader header = lastHeader(storage.files(), firsts);
    if (storage.files().isArchived(header.first())) {
      throw new IOException(
          "the segments of the journal after those in the archive are gone: put them back from a"
              + " copy");
    }
    if (storage.files().isCompressed(header.first())) {
      // later segments are gone, and this one is appended to again
      storage.compressor().restore(header.first());
    }
    List<Segment> sealed = sealed(storage, firsts.subList(0, firsts.size() - 1));
    SegmentDisk.WrittenFile file = storage.disk().open(storage.files().segment(header.first()));
    try {
      if (again) {
        requireRoom(file);
      }
      ActiveSegment active = scan(storage, file, header);
      storage.remember(header.first());
      storage.show(new Segments(sealed).with(active.segment));
      return active;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Those that readers have stay: other threads tell them when their files are replaced. */
  private static List<Segment> sealed(SegmentStorage storage, List<Long> firsts) {
    Map<Long, Segment> shown =
        storage.segments().all().stream().collect(toMap(Segment::first, identity()));
    return firsts.stream()
        .map(first -> shown.getOrDefault(first, Segment.sealed(storage.files(), first)))
        .toList();
  }

  /**
   * The header of the last segment. A last segment without records, whose header was being written
   * when the power was lost, is removed.
   */
  private static SegmentHeader lastHeader(SegmentFiles files, List<Long> firsts)
      throws IOException {
    if (firsts.isEmpty()) {
      throw new IOException("the segments of the journal are gone: put them back, or start again");
    }
    long first = firsts.getLast();
    if (files.isUnfinished(first)) {
      if (firsts.size() == 1) {
        throw new IOException(
            "the only segment of the journal has no header: restore it from a copy, or move the"
                + " directory away, start once and accept the empty journal");
      }
      files.delete(first);
      firsts.removeLast();
      return lastHeader(files, firsts);
    }
    return files.readableHeader(first);
  }

  private static ActiveSegment scan(
      SegmentStorage storage, SegmentDisk.WrittenFile file, SegmentHeader header)
      throws IOException {
    MemoryIndex index = new MemoryIndex(header.first());
    EdgeFold fold = new EdgeFold(header);
    SegmentScan scan = storage.files().scan(header, file.size());
    BatchRecord last = null;
    for (BatchRecord record = scan.next(); record != null; record = scan.next()) {
      index.add(record);
      fold.add(record);
      last = record;
    }
    ActiveSegment active =
        new ActiveSegment(storage, file, header, index, fold.edge(), scan.isTorn());
    active.writeAgain(last);
    return active;
  }

  /**
   * A record that can be read may not be on the disk: when a force fails, the system forgets what
   * it has not written.
   */
  private void writeAgain(@Nullable BatchRecord last) throws IOException {
    if (last != null) {
      byte[] bytes = new byte[last.bytes()];
      storage.files().handles().readFully(segment.file(), last.at(), bytes, 0, bytes.length);
      file.write(ByteBuffer.wrap(bytes), last.at());
    }
    if (storage.durability() == Durability.POWER) {
      file.force();
    }
  }

  /** Fails when nothing can be appended to the file. */
  private static void requireRoom(SegmentDisk.WrittenFile file) throws IOException {
    long size = file.size();
    file.write(ByteBuffer.allocate(ROOM_BYTES), size);
    file.truncate(size);
  }

  SegmentHeader header() {
    return header;
  }

  /** The right edge that the segment held when it was opened. */
  RightEdge edge() {
    return edge;
  }

  boolean isFull(long bytesMax) {
    return end >= bytesMax && index.extent().count() > 0;
  }

  /** Whether a record can follow the last one. */
  boolean canTake(CommittedBatch batch) {
    return batch.entries().isEmpty()
        || batch.entries().getFirst().position() - header.first() - index.extent().count()
            <= SegmentScan.GAP_MAX;
  }

  boolean hasPlaceFor(ByteBuffer record) {
    return end + record.remaining() <= Integer.MAX_VALUE;
  }

  /** Seals this segment and begins the next one. */
  ActiveSegment next(RightEdge newEdge, CommittedBatch batch) throws IOException {
    storage.requireInPlace();
    file.truncate(end);
    file.force();
    SegmentHeader next =
        batch.entries().isEmpty()
            ? SegmentHeader.after(newEdge)
            : SegmentHeader.after(newEdge, batch.entries().getFirst().position());
    storage.create(next);
    ActiveSegment active =
        new ActiveSegment(
            storage,
            storage.disk().open(storage.files().segment(next.first())),
            next,
            new MemoryIndex(next.first()),
            newEdge,
            false);
    storage.remember(next.first());
    storage.show(storage.segments().with(active.segment));
    close();
    storage.sealLater(segment);
    return active;
  }

  /**
   * Prepares the file for a record. It fails when the file is not in its place, or the disk full.
   */
  void prepare(int recordBytes) throws IOException {
    storage.requireInPlace();
    if (hasTail) {
      file.truncate(end);
      allocated = end;
      hasTail = false;
    }
    if (end + recordBytes > allocated) {
      allocate(recordBytes);
    }
  }

  /** Forcing a file that does not grow takes two thirds of the time. */
  private void allocate(int recordBytes) throws IOException {
    long wanted = Math.min(allocated + ALLOCATED_BYTES, storage.limits().segmentBytesMax());
    long to = Math.max(wanted, end + recordBytes);
    while (allocated < to) {
      int length = (int) Math.min(ZEROS.length, to - allocated);
      file.write(ByteBuffer.wrap(ZEROS, 0, length), allocated);
      allocated += length;
    }
  }

  void write(ByteBuffer record) throws IOException {
    file.write(record, end);
  }

  /**
   * Frees the blocks behind the records, unless they may hold a record that an operator has to see.
   */
  void giveBack() throws IOException {
    if (!hasTail && allocated > end) {
      file.truncate(end);
      allocated = end;
    }
  }

  void force() throws IOException {
    file.force();
  }

  /** Shows a record that is durable to readers. */
  void add(CommittedBatch batch, BatchRecord.Encoded record) {
    List<Entry> entries = batch.entries();
    int[] offsets = record.offsets();
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] += (int) end;
    }
    index.add(entries, offsets, batch.checkpoint(), (int) end, record.bytes().limit());
    end = index.extent().end();
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      // what was acknowledged was forced before
    }
  }
}
