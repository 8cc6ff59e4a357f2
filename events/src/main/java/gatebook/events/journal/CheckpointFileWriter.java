package gatebook.events.journal;

import gatebook.events.journal.storage.CheckpointFile;
import gatebook.events.journal.storage.OngoingFailure;
import gatebook.events.journal.storage.StorageFailure;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the checkpoint file on a thread of its own, so that no append waits for it. Of checkpoints
 * that come faster than the file can be forced, it writes the newest.
 */
final class CheckpointFileWriter implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CheckpointFileWriter.class);

  private final CheckpointFile file;
  private final JournalFigures figures;
  private final AtomicReference<@Nullable String> next = new AtomicReference<>();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("checkpoint-file").factory());

  private final OngoingFailure failure = new OngoingFailure();

  CheckpointFileWriter(CheckpointFile file, JournalFigures figures) {
    this.file = file;
    this.figures = figures;
  }

  /** Writes a note soon; the notes come in the order of their checkpoints. */
  void write(String note) {
    if (next.getAndSet(note) == null) {
      thread.execute(this::writeNext);
    }
  }

  private void writeNext() {
    String note = next.getAndSet(null);
    if (note == null) {
      return;
    }
    try {
      file.write(note);
      failure.end();
    } catch (IOException e) {
      figures.checkpointFileFailures.increment();
      if (failure.isNew(StorageFailure.describe(e))) {
        log.atError()
            .setCause(e)
            .log("the newest checkpoint could not be written to its file: the next one is tried");
      }
    }
  }

  /** Returns when the notes are written that came before; blocks. */
  void await() {
    try {
      CompletableFuture.runAsync(() -> {}, thread).join();
    } catch (RejectedExecutionException _) {
      // it is closed, and then all are written
    }
  }

  /** Waits until the newest note is written. */
  @Override
  public void close() {
    thread.close();
  }
}
