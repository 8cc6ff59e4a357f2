package gatebook.events.journal.segment.stamp;

import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.drop.RecordedDrop;
import gatebook.events.journal.segment.file.ArchivedMark;
import gatebook.events.journal.segment.file.ReadHandles;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.SegmentReading;
import gatebook.events.journal.segment.file.Segments;
import gatebook.events.journal.segment.file.StoredIndex;
import gatebook.events.journal.segment.stamp.SegmentStamp.Opening;
import gatebook.events.journal.segment.stamp.SegmentStamp.StampedFile;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.StorageFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stamps sealed segments in the background: reads each that has no stamp once, and signs that it is
 * as it was written. Stamped segments are compressed afterwards. No caller waits for it, and while
 * callers are waiting it takes little time ({@link SegmentBacklog}).
 *
 * <p>A segment with anything that is not as it was written, or with the acceptance of a mismatch,
 * gets no stamp: each verification reads it. It is not compressed either.
 */
public final class SegmentStamper implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SegmentStamper.class);

  private final SegmentFiles files;
  private final CheckpointKeys keys;
  private final Supplier<Segments> segments;
  private final SegmentBacklog backlog;
  private final StampedSegmentCompressor compressor;
  private final BackgroundPace pace = new BackgroundPace();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("journal-stamper").factory());

  /** The first positions of the segments whose stamp need not be looked for again. */
  private final Set<Long> seen = new HashSet<>();

  private SegmentStamper(
      SegmentFiles files,
      CheckpointKeys keys,
      Supplier<Segments> segments,
      SegmentBacklog backlog,
      StampedSegmentCompressor compressor) {
    this.files = files;
    this.keys = keys;
    this.segments = segments;
    this.backlog = backlog;
    this.compressor = compressor;
  }

  /**
   * Starts to stamp all segments but the last one.
   *
   * @param compressor empty when stamped segments stay as they are
   * @param head the position of the newest event that was appended
   */
  public static SegmentStamper start(
      SegmentFiles files,
      CheckpointKeys keys,
      Supplier<Segments> segments,
      SegmentFileWatch watch,
      Optional<SegmentCompressor> compressor,
      LongSupplier head) {
    SegmentBacklog backlog = new SegmentBacklog(head, System::nanoTime);
    SegmentStamper stamper =
        new SegmentStamper(
            files,
            keys,
            segments,
            backlog,
            new StampedSegmentCompressor(files, keys, watch, compressor, backlog));
    keys.onChange(stamper::stampAgain);
    stamper.thread.execute(stamper::stampNew);
    return stamper;
  }

  /** Another segment is sealed, and its index written. */
  public void onSealed(long first) {
    backlog.add(first);
    thread.execute(this::stampNew);
  }

  /** A segment was written anew, since events of it were dropped. */
  public void onDropped(long first) {
    thread.execute(() -> {
      seen.remove(first);
      stampNew();
    });
  }

  /** The stamps of a key that was replaced settle nothing any longer. */
  private void stampAgain() {
    try {
      thread.execute(() -> {
        seen.clear();
        stampNew();
      });
    } catch (RejectedExecutionException _) {
      // the journal is closed; the next process stamps again
    }
  }

  private void stampNew() {
    List<Segment> all = segments.get().all();
    List<Segment> unseen =
        all.subList(0, Math.max(0, all.size() - 1)).stream()
            .filter(
                segment -> !seen.contains(segment.first()) && !files.isArchived(segment.first()))
            .sorted(Comparator.comparing(SegmentStamper::hasDropped))
            .toList();
    pace.begin(backlog::restFactor);
    for (Segment segment : unseen.stream().filter(it -> !isDone(it.first())).toList()) {
      if (pace.isClosedAfterRest()) {
        return;
      }
      stampAndCompress(segment);
      pace.rest();
    }
  }

  private void stampAndCompress(Segment segment) {
    long first = segment.first();
    seen.add(first);
    Optional<SegmentStamp> stamp = stampUnlessStamped(segment);
    if (stamp.isPresent() && !files.isCompressed(first)) {
      compressor.add(stamp.get());
    } else {
      backlog.remove(first);
    }
  }

  /** Whether nothing is left to do for a segment; else it waits from now on. */
  private boolean isDone(long first) {
    pace.restWhenDue();
    try {
      if (files.isCompressed(first) && trusted(StampFile.of(files, first)).isPresent()) {
        seen.add(first);
        backlog.remove(first);
        return true;
      }
    } catch (IOException | RuntimeException _) {
      // it is told where it is stamped
    }
    backlog.add(first);
    return false;
  }

  /** Those that need what a later one says are last. */
  private static boolean hasDropped(Segment segment) {
    try {
      return segment.dropped().isPresent();
    } catch (IOException _) {
      return false; // it is told where it is read
    }
  }

  /** The stamp of a segment; empty when it has none yet, or gets none. */
  private Optional<SegmentStamp> stampUnlessStamped(Segment segment) {
    try {
      StampFile stampFile = StampFile.of(files, segment.first());
      Optional<SegmentStamp> trusted = trusted(stampFile);
      if (trusted.isPresent()) {
        return trusted;
      }
      if (segment.index() instanceof StoredIndex) {
        return stamp(segment, stampFile);
      }
      seen.remove(segment.first()); // its index is not written yet
    } catch (IOException | RuntimeException e) {
      log.atWarn()
          .addKeyValue("file", segment.file())
          .addKeyValue("failure", StorageFailure.describe(e))
          .log("a sealed segment of the journal has no stamp: it cannot be read or written");
    }
    return Optional.empty();
  }

  private Optional<SegmentStamp> trusted(StampFile stampFile) throws IOException {
    return stampFile
        .open(List.of(keys.verifier()))
        .flatMap(it ->
            it instanceof Opening.Trusted(SegmentStamp stamp)
                ? Optional.of(stamp)
                : Optional.empty());
  }

  private Optional<SegmentStamp> stamp(Segment segment, StampFile stampFile) throws IOException {
    pace.waitUntil(FileState.of(segment.file()).distinctFrom());
    pace.waitUntil(FileState.of(files.index(segment.first())).distinctFrom());
    Optional<RecordedDrop> drop = drop(segment);
    if (drop.isEmpty() && segment.dropped().isPresent()) {
      seen.remove(segment.first()); // the segment with the event that says so has no stamp yet
      return Optional.empty();
    }
    Optional<SegmentStamp> stamp = stamp(files, segment.first(), keys, drop, pace);
    if (stamp.isPresent()) {
      stampFile.write(stamp.get().signedBy(keys.signing()));
    }
    return stamp;
  }

  /**
   * What an event says that is dropped of a segment. The event is in the segment that is written,
   * or in one with a stamp: else anybody could have put it there.
   */
  private Optional<RecordedDrop> drop(Segment segment) throws IOException {
    if (segment.dropped().isEmpty()) {
      return Optional.empty();
    }
    Segments all = segments.get();
    for (Entry entry : all.readTagged(RecordedDrop.tag(segment.first()))) {
      Optional<RecordedDrop> drop =
          RecordedDrop.of(entry).filter(it -> it.from() == segment.first());
      long in = all.firstOf(entry.position());
      if (drop.isPresent()
          && (in == all.all().getLast().first() || trusted(StampFile.of(files, in)).isPresent())) {
        return drop;
      }
    }
    return Optional.empty();
  }

  /**
   * The stamp of a sealed segment, of what is at its path; empty when it gets none.
   *
   * @param drop what is dropped of it
   * @param pace rests between parts of the work; when it is closed there is no stamp
   */
  public static Optional<SegmentStamp> stamp(
      SegmentFiles held,
      long first,
      CheckpointKeys keys,
      Optional<RecordedDrop> drop,
      BackgroundPace pace)
      throws IOException {
    SegmentFiles files = held.openedAnew();
    try (ReadHandles _ = files.handles()) {
      return stampOpened(files, Segment.readOnly(files, first), keys, drop, pace);
    }
  }

  private static Optional<SegmentStamp> stampOpened(
      SegmentFiles files,
      Segment segment,
      CheckpointKeys keys,
      Optional<RecordedDrop> drop,
      BackgroundPace pace)
      throws IOException {
    Path index = files.index(segment.first());
    Path file = segment.file();
    FileState segmentState = FileState.of(file);
    FileState indexState = FileState.of(index);
    SegmentReading.Result read =
        SegmentReading.ofSealed(
            files,
            segment,
            files.size(segment.first()),
            keys.history(),
            drop,
            pace::isClosedAfterRest,
            _ -> {});
    if (pace.isClosed() || !read.trustEvents().isEmpty()) {
      return Optional.empty();
    }
    if (read.settled().isEmpty()) {
      log.atWarn()
          .addKeyValue("file", segment.file())
          .log("a sealed segment is not as it was written, and gets no stamp: verify the journal");
      return Optional.empty();
    }
    SegmentStamp stamp =
        new SegmentStamp(
            keys.verifier().name(),
            StampFile.name(file),
            read.settled().get(),
            new StampedFile(segmentState, FileState.digest(file, pace::restWhenDue)),
            new StampedFile(indexState, FileState.digest(index, pace::restWhenDue)),
            Instant.now().truncatedTo(ChronoUnit.MILLIS));
    boolean isUnchanged =
        segmentState.equals(FileState.of(file)) && indexState.equals(FileState.of(index));
    return isUnchanged ? Optional.of(stamp) : Optional.empty();
  }

  /**
   * The stamp of an archived segment by the key that signs now, after it was fetched and read;
   * empty when it gets none. The mark says which file it is, and nothing else that is believed.
   *
   * @param files with the mark and the index
   */
  public static Optional<SegmentStamp> stampArchived(
      SegmentFiles files, ArchivedMark mark, CheckpointKeys keys, BackgroundPace pace)
      throws IOException {
    Optional<SegmentStamp> old = SegmentStamp.unverified(mark.stamp());
    byte[] header = new byte[mark.header().length];
    files.archived().readFully(mark, 0, header, 0, header.length);
    if (old.isEmpty() || !Arrays.equals(header, mark.header())) {
      return Optional.empty();
    }
    Segment segment = Segment.readOnly(files, old.get().settled().first());
    Path index = files.index(segment.first());
    FileState indexState = FileState.of(index);
    SegmentReading.Result read =
        SegmentReading.ofSealed(
            files,
            segment,
            mark.bytes(),
            keys.history(),
            Optional.empty(), // what has dropped events is not archived
            pace::isClosedAfterRest,
            _ -> {});
    StampedFile stampedIndex = new StampedFile(indexState, FileState.digest(index, () -> {}));
    return pace.isClosed()
            || !read.trustEvents().isEmpty()
            || !indexState.equals(FileState.of(index))
        ? Optional.empty()
        : read.settled()
            .map(settled ->
                new SegmentStamp(
                    keys.verifier().name(),
                    old.get().segment(),
                    settled,
                    old.get().segmentFile(),
                    stampedIndex,
                    Instant.now().truncatedTo(ChronoUnit.MILLIS)));
  }

  /** Returns when nothing is written any longer. */
  @Override
  public void close() {
    pace.close();
    thread.close();
    compressor.close();
  }
}
