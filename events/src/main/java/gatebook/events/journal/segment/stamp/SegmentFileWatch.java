package gatebook.events.journal.segment.stamp;

import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.Segments;
import gatebook.events.journal.storage.StorageFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the open files of segments, since a process does not notice by itself that one was
 * removed, replaced, changed or shortened. The next read is from the file at the path.
 *
 * <p>It compares what costs little: which file is at the path, its length and its modification
 * time. A file that is put back with the bytes that were stamped is as good as the one before.
 */
public final class SegmentFileWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SegmentFileWatch.class);
  private static final long EVERY_SECONDS = 20;

  private final SegmentFiles files;
  private final CheckpointKeys keys;
  private final Supplier<Segments> segments;
  private final Place written;
  private final Lock moving = new ReentrantLock();
  private final Map<Long, Seen> known = new HashMap<>();

  /** The files that were changed: how they looked then, and how that is told. */
  private final Map<Long, Changed> changed = new TreeMap<>();

  /** For probes, which do not wait for a check. */
  private volatile List<String> sentences = List.of();

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("journal-watch").factory());

  /** Fails when the file that is written is not in its place. */
  @FunctionalInterface
  public interface Place {
    void require() throws IOException;
  }

  /** Replaces a file, as compressing does. */
  @FunctionalInterface
  public interface Replacement {
    void run() throws IOException;
  }

  /** How a file looks. */
  private record Seen(Path file, @Nullable Object identity, long bytes, Instant modified) {
    static Optional<Seen> at(Path file) throws IOException {
      try {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return Optional.of(
            new Seen(
                file,
                attributes.fileKey(),
                attributes.size(),
                attributes.lastModifiedTime().toInstant()));
      } catch (NoSuchFileException _) {
        return Optional.empty();
      }
    }
  }

  private record Changed(Optional<Seen> now, String sentence) {}

  private SegmentFileWatch(
      SegmentFiles files, CheckpointKeys keys, Supplier<Segments> segments, Place written) {
    this.files = files;
    this.keys = keys;
    this.segments = segments;
    this.written = written;
  }

  /**
   * Begins to watch, until it is closed.
   *
   * @param written where the last segment must be
   */
  public static SegmentFileWatch start(
      SegmentFiles files, CheckpointKeys keys, Supplier<Segments> segments, Place written) {
    SegmentFileWatch watch = new SegmentFileWatch(files, keys, segments, written);
    var _ = watch.thread.scheduleWithFixedDelay(watch::check, 0, EVERY_SECONDS, TimeUnit.SECONDS);
    return watch;
  }

  /** The files that are not in their place, or not as they were. */
  public List<String> damaged() {
    return sentences;
  }

  /**
   * Whoever moves a segment to the archive or drops its events has this lock all the while: a copy
   * of what is dropped would stay in the archive, and a move would remove what was written anew.
   */
  public Lock moving() {
    return moving;
  }

  /** This process replaces the file of a segment. */
  public synchronized void replace(long first, Replacement replacement) throws IOException {
    replacement.run();
    known.remove(first);
  }

  public synchronized void check() {
    List<Segment> all = segments.get().all();
    for (int i = 0; i < all.size(); i++) {
      long first = all.get(i).first();
      try {
        if (i < all.size() - 1) {
          checkSealed(first);
        } else {
          checkWritten(all.get(i));
        }
      } catch (IOException | RuntimeException e) {
        report(first, Optional.empty(), StorageFailure.describe(e));
      }
    }
    sentences = changed.values().stream().map(Changed::sentence).toList();
  }

  private void checkWritten(Segment segment) throws IOException {
    Path file = files.segment(segment.first());
    long end = segment.index().extent().end();
    Optional<Seen> now = Seen.at(file);
    if (segments.get().all().getLast() != segment) {
      return; // it was sealed meanwhile
    }
    written.require();
    if (now.isPresent() && now.get().bytes() < end) {
      report(
          segment.first(), now, "%s was shortened while it was open".formatted(file.getFileName()));
    } else {
      changed.remove(segment.first());
    }
  }

  private void checkSealed(long first) throws IOException {
    Optional<Seen> now = Seen.at(files.readSegment(first));
    Seen before = known.get(first);
    if (now.isPresent() && (before == null || before.equals(now.get()))) {
      settle(first, now.get());
    } else if (!isReported(first, now)) {
      files.handles().forget(files.segment(first));
      files.compressed().forget(first, files.compressedSegment(first));
      if (now.isPresent() && isAsStamped(first)) {
        settle(first, now.get());
      } else {
        report(
            first,
            now,
            "%s was %s while it was open"
                .formatted(
                    files.readSegment(first).getFileName(),
                    now.isPresent() ? "replaced or changed" : "removed"));
      }
    }
  }

  private boolean isReported(long first, Optional<Seen> now) {
    Changed reported = changed.get(first);
    return reported != null && reported.now().equals(now);
  }

  private void settle(long first, Seen now) {
    known.put(first, now);
    if (changed.remove(first) != null) {
      log.atInfo().addKeyValue("file", now.file()).log("a segment of the journal is back");
    }
  }

  private void report(long first, Optional<Seen> now, String sentence) {
    Changed before = changed.put(first, new Changed(now, sentence));
    if (before == null || !before.sentence().equals(sentence)) {
      log.atError()
          .addKeyValue("file", files.readSegment(first))
          .addKeyValue("what", sentence)
          .log(
              "a segment of the journal is not the file that was written: look with 'gatebook"
                  + " verify', and put it back from a copy");
    }
  }

  /** Whether a file has the bytes that were stamped, whatever its times are. */
  private boolean isAsStamped(long first) throws IOException {
    return StampFile.of(files, first).isOfTheseBytes(List.of(keys.verifier()));
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
