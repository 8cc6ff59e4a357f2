package gatebook.events.journal.segment;

import gatebook.events.journal.segment.archive.SegmentDrop;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.Segments;
import gatebook.events.journal.segment.file.StoredIndex;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.storage.DroppableEvents;
import gatebook.events.journal.storage.StorageFailure;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * The sealed segments, from the oldest one on, as ranges of events that can be dropped.
 *
 * @param compresses whether segments are dropped when they are compressed
 * @param onDropped takes the first position of a segment that was written anew
 */
record DroppableSegments(
    SegmentFiles files,
    Supplier<Segments> segments,
    SegmentDrop segmentDrop,
    boolean compresses,
    LongConsumer onDropped)
    implements DroppableEvents {

  @Override
  public Optional<OldestRange> oldest() throws StorageFailure {
    return SegmentStorage.run(() -> {
      Segments now = segments.get();
      int count = now.droppedCount();
      return count < now.all().size() - 1
          ? range(now.all().get(count), now.all().get(count + 1))
          : Optional.empty();
    });
  }

  private Optional<OldestRange> range(Segment segment, Segment next) throws IOException {
    long first = segment.first();
    boolean isReady =
        segment.index() instanceof StoredIndex
            && (!compresses || files.isCompressed(first) || files.isArchived(first));
    return isReady
        ? Optional.of(
            new OldestRange(
                first,
                next.first() - 1,
                Instant.parse(segment.index().newestAt()),
                files.readableHeader(next.first()).edge().root()))
        : Optional.empty();
  }

  @Override
  public boolean drop(OldestRange range, LongPredicate isKept, long keptCount)
      throws StorageFailure {
    return SegmentStorage.run(() -> {
      List<Segment> all = segments.get().all();
      for (Segment segment : all.subList(0, Math.max(0, all.size() - 1))) {
        if (segment.first() == range.from()) {
          segmentDrop.drop(segment, range, isKept, keptCount);
          onDropped.accept(segment.first());
          return true;
        }
      }
      throw new IOException("no sealed segment begins at position " + range.from());
    });
  }

  @Override
  public long bytes() throws StorageFailure {
    return SegmentStorage.run(() -> {
      long bytes = files.bytes();
      for (Segment segment : segments.get().all()) {
        if (files.isArchived(segment.first())) {
          bytes +=
              SegmentStamp.unverified(files.mark(segment.first()).stamp())
                  .map(it -> it.segmentFile().state().bytes())
                  .orElse(0L);
        }
      }
      return bytes;
    });
  }

  @Override
  public void removeArchived() throws StorageFailure {
    SegmentStorage.run(() -> {
      Segments now = segments.get();
      List<Segment> dropped = now.all().subList(0, now.droppedCount());
      for (Segment segment : dropped) {
        segmentDrop.removeArchived(segment.first());
      }
      return dropped;
    });
  }
}
