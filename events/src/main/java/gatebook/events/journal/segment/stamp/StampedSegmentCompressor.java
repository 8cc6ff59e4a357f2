package gatebook.events.journal.segment.stamp;

import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.stamp.SegmentCompressor.Digests;
import gatebook.events.journal.segment.stamp.SegmentStamp.Opening;
import gatebook.events.journal.storage.StorageFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compresses stamped segments in the background, one after the other. No caller waits for it. */
final class StampedSegmentCompressor implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StampedSegmentCompressor.class);

  /**
   * The most plain segments, usually 16 GiB, before it also works fast while the journal is busy.
   */
  static final int WAITING_MAX = 256;

  /** How long the journal counts as busy after a segment was stamped. */
  private static final Duration BUSY = Duration.ofMinutes(1);

  private final SegmentFiles files;
  private final CheckpointKeys keys;
  private final SegmentFileWatch watch;
  private final Optional<SegmentCompressor> compressor;
  private final BackgroundPace pace = new BackgroundPace();
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("journal-compressor").factory());
  private volatile Instant newestStamp = Instant.MIN;

  /**
   * Compresses what is added.
   *
   * @param compressor empty when stamped segments stay as they are
   */
  StampedSegmentCompressor(
      SegmentFiles files,
      CheckpointKeys keys,
      SegmentFileWatch watch,
      Optional<SegmentCompressor> compressor) {
    this.files = files;
    this.keys = keys;
    this.watch = watch;
    this.compressor = compressor;
  }

  /** Compresses a segment with this stamp, some time later. Only one thread adds. */
  void add(SegmentStamp stamp) {
    if (stamp.at().isAfter(newestStamp)) {
      newestStamp = stamp.at();
    }
    thread.execute(() -> compress(stamp));
  }

  /**
   * The ratio of rest to work, which leaves the processors to callers unless the work piles up.
   *
   * @param isBusy whether a segment was stamped just now
   * @param waiting how many segments wait to be compressed
   */
  static int restFactor(boolean isBusy, int waiting) {
    return isBusy && waiting <= WAITING_MAX ? 9 : 1;
  }

  private void compress(SegmentStamp stamp) {
    if (pace.isClosed()) {
      return;
    }
    long first = stamp.settled().first();
    boolean isBusy = newestStamp.isAfter(Instant.now().minus(BUSY));
    pace.begin(restFactor(isBusy, thread.getQueue().size()));
    try {
      if (compressor.isPresent()) {
        compress(compressor.get(), first, stamp);
      } else {
        removeCompressed(first);
      }
    } catch (IOException | RuntimeException e) {
      log.atWarn()
          .addKeyValue("file", files.segment(first))
          .addKeyValue("failure", StorageFailure.describe(e))
          .log("a sealed segment of the journal is not compressed");
    }
    pace.rest();
  }

  /** A process that died may have left a compressed file beside the one that is stamped. */
  private void removeCompressed(long first) throws IOException {
    Path file = files.compressedSegment(first);
    Files.deleteIfExists(file);
    Files.deleteIfExists(files.stampOf(file, first));
  }

  /** Replaces a file only when it is at the path and has the bytes that were stamped. */
  private void compress(SegmentCompressor with, long first, SegmentStamp stamp) throws IOException {
    requireStamped(first);
    Optional<Digests> digests = with.writeDraft(first, pace);
    if (digests.isPresent()) {
      with.requireStamped(stamp, digests.get());
      with.putInPlace(first);
      Path file = files.compressedSegment(first);
      pace.waitUntil(FileState.of(file).distinctFrom());
      if (!pace.isClosed()) {
        SegmentStamp compressed = with.stampOfCompressed(stamp, digests.get(), pace);
        new StampFile(files, first, file).write(compressed.signedBy(keys.signing()));
        watch.replace(
            first,
            () -> {
              requireStamped(first); // its events may have been dropped meanwhile
              with.removePlain(first);
            });
      }
    }
  }

  private void requireStamped(long first) throws IOException {
    Optional<Opening> opening =
        new StampFile(files, first, files.segment(first)).open(List.of(keys.verifier()));
    if (!(opening.orElse(null) instanceof Opening.Trusted)) {
      throw SegmentCompressor.changed(files, first);
    }
  }

  /** Returns when nothing is written any longer. */
  @Override
  public void close() {
    pace.close();
    thread.close();
  }
}
