package gatebook.api.flow;

import gatebook.api.gateway.CommandResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends commands until they are recorded: what a tree's execution has done must not be lost because
 * the journal could not be written for a while.
 */
final class RecordedCommands {
  private static final Logger LOG = LoggerFactory.getLogger(RecordedCommands.class);
  private static final long PAUSE_MILLIS = 1_000;

  /** How often a command may fail; the journal may refuse it for as long as it has to. */
  private static final int FAILURES_MAX = 5;

  private static final Executor AFTER_PAUSE =
      CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);

  private volatile boolean closed;

  /** Completed with the outcome when it is recorded; never, once this is closed. */
  <R> CompletableFuture<R> send(Supplier<CompletableFuture<CommandResult<R>>> command) {
    CompletableFuture<R> recorded = new CompletableFuture<>();
    attempt(command, FAILURES_MAX, recorded);
    return recorded;
  }

  private <R> void attempt(
      Supplier<CompletableFuture<CommandResult<R>>> command,
      int failuresLeft,
      CompletableFuture<R> recorded) {
    if (closed) {
      return;
    }
    CompletableFuture<CommandResult<R>> _ =
        command
            .get()
            .whenComplete((result, failure) -> {
              if (failure != null && failuresLeft == 0) {
                recorded.completeExceptionally(failure);
              } else if (result instanceof CommandResult.Stored<R>(var outcome)) {
                recorded.complete(outcome);
              } else {
                LOG.atWarn()
                    .setCause(failure)
                    .log("a step of a tree's execution could not be recorded: it is tried again");
                int left = failure == null ? failuresLeft : failuresLeft - 1;
                AFTER_PAUSE.execute(() -> attempt(command, left, recorded));
              }
            });
  }

  void close() {
    closed = true;
  }
}
