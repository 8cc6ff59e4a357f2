package gatebook.events.journal.segment;

import gatebook.events.journal.StorageFailure;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.segment.SegmentCompressor.Digests;
import gatebook.events.journal.segment.SegmentStamp.Opening;
import gatebook.events.journal.segment.SegmentStamp.StampedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stamps sealed segments in the background: reads each that has no stamp once, and signs that it is
 * as it was written. Between two that it compresses it stamps all that were sealed meanwhile:
 * verifying has to read those without a stamp. Nobody waits for it, and it rests at least as long
 * as it works.
 *
 * <p>A segment with anything that is not as it was written, or with the acceptance of a mismatch,
 * gets no stamp: each verification reads it. It is not compressed either.
 */
final class SegmentStamper implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SegmentStamper.class);

  /**
   * With more plain segments than these, 16 GiB as a rule, it does not wait for calm any longer.
   */
  static final int WAITING_MAX = 256;

  /** The journal is busy for so long after a segment was sealed. */
  private static final long BUSY_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** How many times as long as it stamps it rests: then it is done before another one is sealed. */
  private static final int REST_OF_STAMPING = 4;

  /** It rests when it has worked for so long. */
  private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final SegmentFiles files;
  private final CheckpointKey key;
  private final Supplier<Segments> segments;
  private final Optional<SegmentCompressor> compressor;
  private final Thread thread;

  /** The first positions of the segments whose stamp need not be looked for again. */
  private final Set<Long> seen = new HashSet<>();

  private final ArrayDeque<Stamped> uncompressed = new ArrayDeque<>();

  private volatile boolean isClosed;
  private boolean isWoken;
  private long workedFrom;
  private int restFactor;
  private long sealedNanos = System.nanoTime() - BUSY_NANOS;

  /** A segment with its stamp. */
  private record Stamped(Segment segment, SegmentStamp stamp) {}

  private SegmentStamper(
      SegmentFiles files,
      CheckpointKey key,
      Supplier<Segments> segments,
      Optional<SegmentCompressor> compressor) {
    this.files = files;
    this.key = key;
    this.segments = segments;
    this.compressor = compressor;
    this.thread = Thread.ofPlatform().daemon().name("journal-stamper").unstarted(this::run);
  }

  /**
   * Starts to stamp all segments but the last one.
   *
   * @param compressor empty when stamped segments stay as they are
   */
  static SegmentStamper start(
      SegmentFiles files,
      CheckpointKey key,
      Supplier<Segments> segments,
      Optional<SegmentCompressor> compressor) {
    SegmentStamper stamper = new SegmentStamper(files, key, segments, compressor);
    stamper.thread.start();
    return stamper;
  }

  /** Another segment is sealed, and its index written. */
  synchronized void wake() {
    isWoken = true;
    sealedNanos = System.nanoTime();
    notifyAll();
  }

  private synchronized boolean isBusy() {
    return System.nanoTime() - sealedNanos < BUSY_NANOS;
  }

  private void run() {
    try {
      do {
        stampAndCompress();
      } while (isWokenAgain());
    } catch (InterruptedException _) {
      // it is closed
    }
  }

  private synchronized boolean isWokenAgain() throws InterruptedException {
    while (!isWoken && !isClosed) {
      wait();
    }
    isWoken = false;
    return !isClosed;
  }

  /**
   * How many times as long as it compresses it rests: callers have the processors, unless the work
   * piles up.
   *
   * @param isBusy whether a segment was sealed just now
   * @param waiting how many segments wait to be compressed
   */
  static int restOfCompressing(boolean isBusy, int waiting) {
    return isBusy && waiting <= WAITING_MAX ? 9 : 1;
  }

  private void stampAndCompress() throws InterruptedException {
    stampAll();
    while (!isClosed && !uncompressed.isEmpty()) {
      Stamped next = uncompressed.remove();
      restFactor = restOfCompressing(isBusy(), uncompressed.size());
      workedFrom = System.nanoTime();
      compress(next.segment(), next.stamp());
      rest(restFactor * (System.nanoTime() - workedFrom));
      stampAll();
    }
  }

  private void stampAll() throws InterruptedException {
    List<Segment> all = segments.get().all();
    for (Segment segment : all.subList(0, Math.max(0, all.size() - 1))) {
      if (!isClosed && seen.add(segment.first())) {
        restFactor = REST_OF_STAMPING;
        workedFrom = System.nanoTime();
        Optional<SegmentStamp> stamp = stampUnlessStamped(segment);
        if (stamp.isPresent() && !files.isCompressed(segment.first())) {
          uncompressed.add(new Stamped(segment, stamp.get()));
        }
        rest(restFactor * (System.nanoTime() - workedFrom));
      }
    }
  }

  private boolean isClosedAfterRest() {
    restWhenDue();
    return isClosed;
  }

  /** Rests if it has worked long enough. An interrupt closes it. */
  private void restWhenDue() {
    long worked = System.nanoTime() - workedFrom;
    if (worked >= WORK_NANOS) {
      try {
        rest(restFactor * worked);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        isClosed = true;
      }
      workedFrom = System.nanoTime();
    }
  }

  private synchronized void rest(long nanos) throws InterruptedException {
    long until = System.nanoTime() + nanos;
    for (long left = nanos; left > 0 && !isClosed; left = until - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  /** The stamp of a segment; empty when it has none yet, or gets none. */
  private Optional<SegmentStamp> stampUnlessStamped(Segment segment) throws InterruptedException {
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
        .open(List.of(key.verifier()))
        .flatMap(it ->
            it instanceof Opening.Trusted(SegmentStamp stamp)
                ? Optional.of(stamp)
                : Optional.empty());
  }

  private Optional<SegmentStamp> stamp(Segment segment, StampFile stampFile)
      throws IOException, InterruptedException {
    waitUntil(FileState.of(segment.file()).distinctFrom());
    waitUntil(FileState.of(files.index(segment.first())).distinctFrom());
    Optional<SegmentStamp> stamp =
        stamp(files, segment, key, this::isClosedAfterRest, this::restWhenDue);
    if (stamp.isPresent()) {
      stampFile.write(stamp.get().signedBy(key));
    }
    return stamp;
  }

  private void compress(Segment segment, SegmentStamp stamp) throws InterruptedException {
    try {
      if (compressor.isPresent()) {
        compress(compressor.get(), stamp);
      } else {
        removeCompressed(segment.first());
      }
    } catch (IOException | RuntimeException e) {
      log.atWarn()
          .addKeyValue("file", segment.file())
          .addKeyValue("failure", StorageFailure.describe(e))
          .log("a sealed segment of the journal is not compressed: it cannot be read or written");
    }
  }

  /** A process that died may have left a compressed file beside the one that is stamped. */
  private void removeCompressed(long first) throws IOException {
    Path file = files.compressedSegment(first);
    Files.deleteIfExists(file);
    Files.deleteIfExists(files.stampOf(file, first));
  }

  private void compress(SegmentCompressor with, SegmentStamp stamp)
      throws IOException, InterruptedException {
    long first = stamp.settled().first();
    Optional<Digests> digests = with.writeDraft(first, this::isClosedAfterRest, this::restWhenDue);
    if (digests.isPresent()) {
      with.putInPlace(first);
      Path file = files.compressedSegment(first);
      waitUntil(FileState.of(file).distinctFrom());
      if (!isClosed) {
        SegmentStamp compressed = with.stampOfCompressed(stamp, digests.get(), this::restWhenDue);
        new StampFile(files, first, file).write(compressed.signedBy(key));
        with.removePlain(first);
      }
    }
  }

  /**
   * The stamp of a sealed segment; empty when it gets none.
   *
   * @param isStopped ends the reading of the segment; asked between parts of it
   * @param betweenParts runs between parts of the other work, and may wait
   */
  static Optional<SegmentStamp> stamp(
      SegmentFiles files,
      Segment segment,
      CheckpointKey key,
      BooleanSupplier isStopped,
      Runnable betweenParts)
      throws IOException {
    Path index = files.index(segment.first());
    Path file = segment.file();
    FileState segmentState = FileState.of(file);
    FileState indexState = FileState.of(index);
    SegmentReading.Result read =
        SegmentReading.ofSealed(
            files, segment, files.size(segment.first()), List.of(key.verifier()), isStopped);
    if (isStopped.getAsBoolean() || !read.acceptances().isEmpty()) {
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
            key.verifier().name(),
            StampFile.name(file),
            read.settled().get(),
            new StampedFile(segmentState, FileState.digest(file, betweenParts)),
            new StampedFile(indexState, FileState.digest(index, betweenParts)),
            Instant.now().truncatedTo(ChronoUnit.MILLIS));
    boolean isUnchanged =
        segmentState.equals(FileState.of(file)) && indexState.equals(FileState.of(index));
    return isUnchanged ? Optional.of(stamp) : Optional.empty();
  }

  private void waitUntil(Instant time) throws InterruptedException {
    rest(Math.max(0, Duration.between(Instant.now(), time).toNanos()));
    workedFrom = System.nanoTime();
  }

  /** Returns when nothing is written any longer. */
  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
      notifyAll();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
