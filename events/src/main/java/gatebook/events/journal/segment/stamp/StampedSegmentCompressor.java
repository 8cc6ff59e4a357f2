package gatebook.events.journal.segment.stamp;

import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.stamp.SegmentCompressor.Digests;
import gatebook.events.journal.segment.stamp.SegmentStamp.Opening;
import gatebook.events.journal.storage.StorageFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compresses stamped segments in the background, one after the other. No caller waits for it. */
final class StampedSegmentCompressor implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StampedSegmentCompressor.class);

  private final SegmentFiles files;
  private final CheckpointKeys keys;
  private final SegmentFileWatch watch;
  private final Optional<SegmentCompressor> compressor;
  private final SegmentBacklog backlog;
  private final BackgroundPace pace = new BackgroundPace();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("journal-compressor").factory());

  /**
   * Compresses what is added.
   *
   * @param compressor empty when stamped segments stay as they are
   * @param backlog from which they are removed then
   */
  StampedSegmentCompressor(
      SegmentFiles files,
      CheckpointKeys keys,
      SegmentFileWatch watch,
      Optional<SegmentCompressor> compressor,
      SegmentBacklog backlog) {
    this.files = files;
    this.keys = keys;
    this.watch = watch;
    this.compressor = compressor;
    this.backlog = backlog;
  }

  /** Compresses a segment with this stamp, some time later. */
  void add(SegmentStamp stamp) {
    thread.execute(() -> compress(stamp));
  }

  private void compress(SegmentStamp stamp) {
    if (pace.isClosed()) {
      return;
    }
    long first = stamp.settled().first();
    pace.begin(backlog::restFactor);
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
    } finally {
      backlog.remove(first);
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
