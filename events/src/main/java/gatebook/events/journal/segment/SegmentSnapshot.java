package gatebook.events.journal.segment;

import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalSnapshot;
import gatebook.events.journal.JournalSnapshot.IndexedTag;
import gatebook.events.journal.JournalSnapshot.StoredEdge;
import gatebook.events.journal.JournalUnreadable;
import gatebook.events.journal.RowCursor;
import gatebook.events.journal.SnapshotPart.DamagedRecord;
import gatebook.events.journal.SnapshotReading;
import gatebook.events.journal.StorageSnapshot;
import gatebook.events.journal.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the segments of a journal: their records as far as they had been written when it
 * was taken. The records are read from the files one after the other, whatever the indexes say.
 */
final class SegmentSnapshot implements StorageSnapshot {

  /**
   * A segment, where its records ended, and the position of its last event.
   *
   * @param isActive whether it is the last one, which may grow
   */
  record Part(Segment segment, SegmentHeader header, long end, long last, boolean isActive) {}

  private final SegmentFiles files;
  private final List<Part> parts;

  private SegmentSnapshot(SegmentFiles files, List<Part> parts) {
    this.files = files;
    this.parts = parts;
  }

  /** A snapshot of segments that this process writes. */
  static SegmentSnapshot of(SegmentFiles files, Segments segments) throws IOException {
    List<Part> parts = new ArrayList<>();
    for (Segment segment : segments.all()) {
      SegmentHeader header = files.readableHeader(segment.first());
      boolean isWritten = segment == segments.all().getLast();
      SegmentIndex.Extent extent = segment.index().extent();
      long last = isWritten ? segment.first() + extent.count() - 1 : Long.MAX_VALUE;
      long end = isWritten ? extent.end() : files.size(segment.first());
      parts.add(new Part(segment, header, end, last, isWritten));
    }
    return new SegmentSnapshot(files, List.copyOf(parts));
  }

  /** A snapshot of segments that nobody writes. */
  static SegmentSnapshot ofClosed(SegmentFiles files) throws IOException {
    List<Part> parts = new ArrayList<>();
    List<Long> firsts = files.firsts();
    for (long first : firsts) {
      if (first == firsts.getLast() && files.isUnfinished(first)) {
        break;
      }
      SegmentHeader header = files.readableHeader(first);
      long size = files.size(first);
      Segment segment =
          first == firsts.getLast()
              ? Segment.active(files, header, scanned(files, header, size))
              : Segment.readOnly(files, first);
      parts.add(new Part(segment, header, size, Long.MAX_VALUE, first == firsts.getLast()));
    }
    return new SegmentSnapshot(files, List.copyOf(parts));
  }

  private static MemoryIndex scanned(SegmentFiles files, SegmentHeader header, long size)
      throws IOException {
    MemoryIndex index = new MemoryIndex(header.first());
    SegmentScan scan = files.scan(header, size);
    for (BatchRecord record = scan.next(); record != null; record = scan.next()) {
      index.add(record);
    }
    return index;
  }

  List<Part> parts() {
    return parts;
  }

  @Override
  public RowCursor<Entry> events() {
    return events(parts, 0);
  }

  RowCursor<Entry> events(List<Part> of, long after) {
    return new Records<>(of, BatchRecord::entries, new Ascending(after));
  }

  /** Lets entries pass whose positions ascend. */
  private static final class Ascending implements Predicate<Entry> {
    private long last;

    Ascending(long after) {
      this.last = after;
    }

    @Override
    public boolean test(Entry entry) {
      if (entry.position() <= last) {
        return false;
      }
      last = entry.position();
      return true;
    }
  }

  @Override
  public SnapshotReading read(SnapshotReading.Order order) {
    try {
      return ReadSegments.read(this, files, order);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  RowCursor<DamagedRecord> damagedRecords(Part part) {
    int next = parts.indexOf(part) + 1;
    long last = next == parts.size() ? Long.MAX_VALUE : parts.get(next).segment().first() - 1;
    return new DamagedRecords(files.scan(part.header(), part.end()), last);
  }

  RowCursor<JournalSnapshot.Id> ids(List<Part> of) {
    return new Records<>(
        of,
        record ->
            record.entries().stream()
                .map(entry -> new JournalSnapshot.Id(entry.id(), entry.position()))
                .toList(),
        _ -> true);
  }

  @Override
  public RowCursor<IndexedTag> tagIndex() {
    return tagIndex(parts);
  }

  RowCursor<IndexedTag> tagIndex(List<Part> of) {
    return new TagLines(of);
  }

  @Override
  public Optional<StoredEdge> edge() {
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    Part last = parts.getLast();
    try {
      if (hasDamagedHeader()) {
        return Optional.of(new StoredEdge(last.segment().last(), new byte[0]));
      }
      EdgeFold fold = new EdgeFold(last.header());
      SegmentScan scan = files.scan(last.header(), last.end());
      for (BatchRecord record = scan.next(); record != null; record = scan.next()) {
        fold.add(record);
      }
      RightEdge edge = fold.edge();
      return Optional.of(new StoredEdge(edge.size(), edge.bytes()));
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private boolean hasDamagedHeader() throws IOException {
    for (Part part : parts) {
      if (files.readHeader(part.segment().first()).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public RowCursor<StoredCheckpoint> checkpoints() {
    return checkpoints(parts);
  }

  RowCursor<StoredCheckpoint> checkpoints(List<Part> of) {
    return new Records<>(
        of,
        record -> record.checkpoint() == null ? List.of() : List.of(record.checkpoint()),
        _ -> true);
  }

  static JournalUnreadable unreadable(IOException e) {
    return new JournalUnreadable(SegmentStorage.failure(e));
  }

  @Override
  public void close() {
    // the files stay open for other readers
  }

  /** Something of each record, in the order of the records. */
  private final class Records<T> implements RowCursor<T> {
    private final List<Part> of;
    private final Function<BatchRecord, Collection<T>> part;
    private final Predicate<T> filter;
    private final ArrayDeque<T> rows = new ArrayDeque<>();
    private int next;
    private @Nullable SegmentScan scan;

    Records(List<Part> of, Function<BatchRecord, Collection<T>> part, Predicate<T> filter) {
      this.of = of;
      this.part = part;
      this.filter = filter;
    }

    @Override
    public @Nullable T next() {
      try {
        while (rows.isEmpty() && fetch()) {}
      } catch (IOException e) {
        throw unreadable(e);
      }
      return rows.poll();
    }

    /** False at the end. */
    private boolean fetch() throws IOException {
      SegmentScan current = scan;
      BatchRecord record = current == null ? null : current.next();
      if (record != null) {
        part.apply(record).stream().filter(filter).forEach(rows::add);
        return true;
      }
      if (next == of.size()) {
        return false;
      }
      Part nextPart = of.get(next++);
      scan = files.scan(nextPart.header(), nextPart.end());
      return true;
    }

    @Override
    public void close() {
      rows.clear();
      next = of.size();
      scan = null;
    }
  }

  /** The lines of all indexes, one segment at a time. */
  private static final class TagLines implements RowCursor<IndexedTag> {
    private final List<Part> of;
    private final ArrayDeque<IndexedTag> lines = new ArrayDeque<>();
    private int next;

    TagLines(List<Part> of) {
      this.of = of;
    }

    @Override
    public @Nullable IndexedTag next() {
      try {
        while (lines.isEmpty() && next < of.size()) {
          Part part = of.get(next++);
          List<IndexedTag> found = part.segment().linesFound();
          found.sort(Comparator.comparingLong(IndexedTag::first).thenComparing(IndexedTag::tag));
          found.stream().flatMap(line -> written(part, line).stream()).forEach(lines::add);
        }
      } catch (IOException e) {
        throw unreadable(e);
      }
      return lines.poll();
    }

    /** The index of the segment that is written may have grown since the snapshot. */
    private static Optional<IndexedTag> written(Part part, IndexedTag line) {
      return line.first() > part.last()
          ? Optional.empty()
          : Optional.of(
              new IndexedTag(line.tag(), line.first(), Math.min(line.last(), part.last())));
    }

    @Override
    public void close() {
      lines.clear();
      next = of.size();
    }
  }

  /** A list as a cursor. */
  static final class ListCursor<T> implements RowCursor<T> {
    private final ArrayDeque<T> rows;

    ListCursor(List<T> rows) {
      this.rows = new ArrayDeque<>(rows);
    }

    @Override
    public @Nullable T next() {
      return rows.poll();
    }

    @Override
    public void close() {
      rows.clear();
    }
  }
}
