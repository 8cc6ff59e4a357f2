package gatebook.events.journal.segment;

import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.segment.file.BatchRecord;
import gatebook.events.journal.segment.file.MemoryIndex;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.SegmentHeader;
import gatebook.events.journal.segment.file.SegmentIndex;
import gatebook.events.journal.segment.file.SegmentScan;
import gatebook.events.journal.segment.file.Segments;
import gatebook.events.journal.storage.DamagedFile;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.JournalSnapshot.StoredEdge;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SnapshotPart.DamagedRecord;
import gatebook.events.journal.storage.SnapshotReading;
import gatebook.events.journal.storage.StorageCopy;
import gatebook.events.journal.storage.StorageSnapshot;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.storage.TagText;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.Tag;

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
  private final List<DamagedFile> damagedFiles;

  private SegmentSnapshot(SegmentFiles files, List<Part> parts, List<DamagedFile> damagedFiles) {
    this.files = files;
    this.parts = List.copyOf(parts);
    this.damagedFiles = List.copyOf(damagedFiles);
  }

  /**
   * A snapshot of segments that this process writes: of the files at their paths now, not of those
   * that it has open.
   */
  static SegmentSnapshot of(SegmentFiles held, Segments segments) throws IOException {
    Segment written = segments.all().getLast();
    SegmentIndex index = written.index();
    SegmentIndex.Extent extent = index.extent();
    SegmentFiles files = held.openedAnew();
    // a later one may have been begun since then
    List<Long> firsts =
        Stream.concat(
                files.firsts().stream().filter(it -> it < written.first()),
                segments.all().stream().map(Segment::first))
            .distinct()
            .sorted()
            .toList();
    return new Collector(files, firsts)
        .collect((first, header) ->
            first == written.first()
                ? new Part(
                    index instanceof MemoryIndex grown
                        ? Segment.active(files, header, grown)
                        : Segment.readOnly(files, first),
                    header,
                    Math.min(extent.end(), files.size(first)),
                    first + extent.count() - 1,
                    true)
                : sealed(files, first, header));
  }

  /** A snapshot of segments that no process writes. */
  static SegmentSnapshot ofClosed(SegmentFiles held) throws IOException {
    SegmentFiles files = held.openedAnew();
    List<Long> firsts = files.firsts();
    if (!firsts.isEmpty() && isUnfinished(files, firsts.getLast())) {
      firsts.removeLast();
    }
    return new Collector(files, firsts)
        .collect((first, header) ->
            first == firsts.getLast()
                ? new Part(
                    Segment.active(files, header, scanned(files, header, files.size(first))),
                    header,
                    files.size(first),
                    Long.MAX_VALUE,
                    true)
                : sealed(files, first, header));
  }

  /** A file that cannot be read is damaged, and not unfinished. */
  private static boolean isUnfinished(SegmentFiles files, long first) {
    try {
      return files.isUnfinished(first);
    } catch (IOException _) {
      return false;
    }
  }

  private static Part sealed(SegmentFiles files, long first, SegmentHeader header)
      throws IOException {
    return new Part(
        Segment.readOnly(files, first), header, files.size(first), Long.MAX_VALUE, false);
  }

  /** Collects the parts, and the files of those that cannot be read. */
  private record Collector(SegmentFiles files, List<Long> firsts) {
    /** Makes the part of a segment. */
    interface PartSource {
      Part of(long first, SegmentHeader header) throws IOException;
    }

    SegmentSnapshot collect(PartSource source) {
      List<Part> parts = new ArrayList<>();
      List<DamagedFile> damaged = new ArrayList<>();
      for (int i = 0; i < firsts.size(); i++) {
        long first = firsts.get(i);
        long last = i + 1 == firsts.size() ? Long.MAX_VALUE : firsts.get(i + 1) - 1;
        try {
          parts.add(source.of(first, files.readableHeader(first)));
          if (files.readHeader(first).isEmpty()) {
            damaged.add(
                files.damaged(first, last, new IOException("its header, at byte 0, is damaged")));
          }
        } catch (IOException e) {
          damaged.add(files.damaged(first, last, e));
        }
      }
      return new SegmentSnapshot(files, parts, damaged);
    }
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
    return new SegmentRecords<>(files, of, BatchRecord::entries, new Ascending(after));
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
  public Optional<StorageCopy> copy(VerifierKey key) throws IOException {
    if (!damagedFiles.isEmpty()) {
      DamagedFile damaged = damagedFiles.getFirst();
      throw new IOException("the file %s is damaged: %s".formatted(damaged.file(), damaged.why()));
    }
    return SegmentCopy.of(files, parts, key).map(copy -> copy);
  }

  @Override
  public SnapshotReading read(SnapshotReading.Order order) {
    try {
      return ReadSegments.read(this, files, order);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** The same part, of the file that replaced its own when events of it were dropped meanwhile. */
  Part current(Part part) throws IOException {
    long first = part.segment().first();
    SegmentHeader header = files.readableHeader(first);
    return part.isActive() || header.salt() == part.header().salt()
        ? part
        : sealed(files, first, header);
  }

  /**
   * The first event with a tag that is in a record: an index only tells in which segment that may
   * be.
   */
  Optional<Entry> tagged(List<Part> of, Tag tag) {
    String text = TagText.write(Set.of(tag));
    try {
      for (Part part : of) {
        if (part.segment().mayContain(text)) {
          SegmentScan scan = files.scan(part.header(), part.end());
          for (BatchRecord record = scan.next(); record != null; record = scan.next()) {
            for (Entry entry : record.entries()) {
              if (TagText.lines(entry.tags()).contains(text)) {
                return Optional.of(entry);
              }
            }
          }
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  RowCursor<DamagedRecord> damagedRecords(Part part) {
    long last = lastOf(part);
    return new DamagedRecords(
        files.scan(part.header(), part.end()),
        String.valueOf(part.segment().file().getFileName()),
        last);
  }

  /** The position before the next segment, also one that is damaged; the highest without one. */
  private long lastOf(Part part) {
    return LongStream.concat(
            parts.stream().mapToLong(it -> it.segment().first()),
            damagedFiles.stream().mapToLong(DamagedFile::from))
        .filter(it -> it > part.segment().first())
        .map(it -> it - 1)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  List<DamagedFile> damagedFiles() {
    return damagedFiles;
  }

  /** The file of a part whose events cannot be read. */
  DamagedFile damaged(Part part, IOException failure) {
    return files.damaged(part.segment().first(), lastOf(part), failure);
  }

  RowCursor<JournalSnapshot.Id> ids(List<Part> of) {
    return new SegmentRecords<>(
        files,
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
    return new SegmentTagLines(of);
  }

  @Override
  public Optional<StoredEdge> edge() {
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    Part last = parts.getLast();
    try {
      EdgeFold fold = new EdgeFold(last.header());
      SegmentScan scan = files.scan(last.header(), last.end());
      for (BatchRecord record = scan.next(); record != null; record = scan.next()) {
        fold.add(record);
      }
      RightEdge edge = fold.edge();
      return Optional.of(
          new StoredEdge(edge.size(), hasDamagedHeader() ? new byte[0] : edge.bytes()));
    } catch (IOException _) {
      return Optional.empty(); // what is wrong with the file is found where its events are read
    }
  }

  @Override
  public Optional<DamagedRecord> tail() {
    if (parts.isEmpty() || !parts.getLast().isActive()) {
      return Optional.empty();
    }
    Part last = parts.getLast();
    try {
      SegmentScan scan = files.scan(last.header(), last.end());
      while (scan.next() != null) {}
      return scan.isTorn()
          ? Optional.of(
              new DamagedRecord(
                  scan.nextPosition(),
                  Long.MAX_VALUE,
                  "byte %d of %s".formatted(scan.end(), last.segment().file().getFileName())))
          : Optional.empty();
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
    return new SegmentRecords<>(
        files,
        of,
        record -> record.checkpoint() == null ? List.of() : List.of(record.checkpoint()),
        _ -> true);
  }

  @Override
  public Optional<StoredCheckpoint> newestCheckpoint() {
    for (Part part : parts.reversed()) {
      try (RowCursor<StoredCheckpoint> checkpoints = checkpoints(List.of(part))) {
        Optional<StoredCheckpoint> last = checkpoints.last();
        if (last.isPresent()) {
          return last;
        }
      }
    }
    return Optional.empty();
  }

  static JournalUnreadable unreadable(IOException e) {
    return new JournalUnreadable(SegmentStorage.failure(e));
  }

  @Override
  public void close() {
    files.handles().close();
  }
}
