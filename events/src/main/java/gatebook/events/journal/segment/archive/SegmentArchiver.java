package gatebook.events.journal.segment.archive;

import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.Segments;
import gatebook.events.journal.segment.stamp.BackgroundPace;
import gatebook.events.journal.storage.OngoingFailure;
import gatebook.events.journal.storage.StorageFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves segments to the archive that their retention lets go, the oldest first, in the background.
 * Those of which events were dropped stay: they are small. It also stamps archived segments again,
 * and tells what the archive has besides. A failure of the archive is logged once, and tried again.
 */
public final class SegmentArchiver implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SegmentArchiver.class);

  private final SegmentRetention retention;
  private final SegmentMove move;
  private final Supplier<Segments> segments;
  private final BackgroundPace pace = new BackgroundPace();
  private final ArchivedStamper stamper;
  private final UnnamedObjects unnamedObjects = new UnnamedObjects();
  private final OngoingFailure failure = new OngoingFailure();
  private final OngoingFailure upkeepFailure = new OngoingFailure();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("journal-archiver").factory());

  private SegmentArchiver(
      SegmentRetention retention, SegmentMove move, Supplier<Segments> segments) {
    this.retention = retention;
    this.move = move;
    this.segments = segments;
    this.stamper = new ArchivedStamper(pace, retention.every());
  }

  /** Starts to move segments, until it is closed. */
  public static SegmentArchiver start(
      SegmentRetention retention, SegmentMove move, Supplier<Segments> segments) {
    SegmentArchiver archiver = new SegmentArchiver(retention, move, segments);
    var _ =
        archiver.thread.scheduleWithFixedDelay(
            archiver::run,
            retention.every().toMillis(),
            retention.every().toMillis(),
            TimeUnit.MILLISECONDS);
    return archiver;
  }

  private void run() {
    if (retention.isLimited()) {
      moveDue();
    }
    if (retention.archive().isPresent()) {
      keepUp();
    }
  }

  private void keepUp() {
    try {
      List<Segment> all = segments.get().all();
      stamp(all);
      unnamedObjects.tell(
          move.fetched().archive(), () -> names(all), first -> isMovedLater(all, first));
      upkeepFailure.end();
    } catch (IOException | RuntimeException | LinkageError e) {
      if (upkeepFailure.isNew(StorageFailure.describe(e)) && !thread.isShutdown()) {
        log.atWarn()
            .addKeyValue("failure", StorageFailure.describe(e))
            .log("archived segments of the journal cannot be looked at now");
      }
    }
  }

  private void stamp(List<Segment> all) throws IOException {
    SegmentFiles files = move.files();
    try (FetchedSegments fetched =
        new FetchedSegments(retention, () -> Optional.of(files.directory()))) {
      stamper.stamp(
          move.keys().verifier(),
          new MarkedStamps(all, files, fetched, move.watch(), move.keys(), pace));
    }
  }

  /** The names of the objects of all archived segments, also of those that are to be removed. */
  private Set<String> names(List<Segment> all) throws IOException {
    SegmentFiles files = move.files();
    Set<String> names = new HashSet<>();
    for (Segment segment : all) {
      long first = segment.first();
      if (Files.exists(files.archivedMark(first))) {
        names.addAll(SegmentArchive.names(files, first, files.mark(first)));
      }
    }
    return names;
  }

  /** Those on the disk go later, unless events of them were dropped. */
  private boolean isMovedLater(List<Segment> all, long first) {
    try {
      for (Segment segment : all) {
        if (segment.first() == first) {
          return !move.files().isArchived(first) && segment.dropped().isEmpty();
        }
      }
      return false;
    } catch (IOException _) {
      return true; // it is told where it is read
    }
  }

  private void moveDue() {
    try {
      moveDue(Instant.now());
      failure.end();
    } catch (IOException | RuntimeException | LinkageError e) {
      if (failure.isNew(StorageFailure.describe(e)) && !thread.isShutdown()) {
        log.atError()
            .addKeyValue("failure", StorageFailure.describe(e))
            .log("segments of the journal stay on its disk: the archive cannot be used");
      }
    }
  }

  private void moveDue(Instant now) throws IOException {
    List<Segment> all = segments.get().all();
    long moved = 0;
    for (Segment segment : all.subList(0, Math.max(0, all.size() - 1))) {
      if (thread.isShutdown()) {
        return;
      }
      if (!move.files().isArchived(segment.first()) && segment.dropped().isEmpty()) {
        if (!isDue(segment, now)) {
          break; // the next ones are newer
        }
        moved += move.move(segment) == SegmentMove.Result.MOVED ? 1 : 0;
      }
    }
    if (moved > 0) {
      log.atInfo()
          .addKeyValue("segments", moved)
          .log("segments of the journal were moved to the archive");
    }
  }

  private boolean isDue(Segment segment, Instant now) throws IOException {
    return isOlder(segment, retention.floor(), now)
        && ((retention.age().isPresent() && isOlder(segment, retention.age().get(), now))
            || (retention.bytesMax().isPresent()
                && move.files().bytes() > retention.bytesMax().getAsLong()));
  }

  private static boolean isOlder(Segment segment, Duration age, Instant now) throws IOException {
    return segment.index().newestAt().compareTo(DraftEvent.formatTime(now.minus(age))) < 0;
  }

  /** How often moving failed; each failure is tried again. */
  public long failures() {
    return failure.attempts();
  }

  /** Returns when nothing is moved any longer. */
  @Override
  public void close() {
    pace.close();
    thread.shutdown();
    thread.close();
  }
}
