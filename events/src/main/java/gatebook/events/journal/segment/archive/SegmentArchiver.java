package gatebook.events.journal.segment.archive;

import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.file.Segments;
import gatebook.events.journal.storage.OngoingFailure;
import gatebook.events.journal.storage.StorageFailure;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves segments to the archive that their retention lets go, the oldest first, in the background.
 * A failure of the archive is logged once, and tried again.
 */
public final class SegmentArchiver implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SegmentArchiver.class);

  private final SegmentRetention retention;
  private final SegmentMove move;
  private final Supplier<Segments> segments;
  private final OngoingFailure failure = new OngoingFailure();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("journal-archiver").factory());

  private SegmentArchiver(
      SegmentRetention retention, SegmentMove move, Supplier<Segments> segments) {
    this.retention = retention;
    this.move = move;
    this.segments = segments;
  }

  /** Starts to move segments, until it is closed. */
  public static SegmentArchiver start(
      SegmentRetention retention, SegmentMove move, Supplier<Segments> segments) {
    SegmentArchiver archiver = new SegmentArchiver(retention, move, segments);
    var _ =
        archiver.thread.scheduleWithFixedDelay(
            archiver::moveDue,
            retention.every().toMillis(),
            retention.every().toMillis(),
            TimeUnit.MILLISECONDS);
    return archiver;
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
      if (!move.files().isArchived(segment.first())) {
        if (!isDue(segment, now)) {
          break; // the next ones are newer
        }
        moved += move.move(segment.first()) == SegmentMove.Result.MOVED ? 1 : 0;
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
    thread.shutdown();
    thread.close();
  }
}
