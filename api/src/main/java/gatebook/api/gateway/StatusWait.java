package gatebook.api.gateway;

import gatebook.api.gateway.message.CommandResult;
import gatebook.command.call.task.TaskStatus;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One wait for the status of a background call that is a task. */
final class StatusWait {

  /** How often the status of a task that runs at another node is read. */
  private static final long POLL_MILLIS = 1_000;

  /** How often the status of a task that runs here is read, since another node may cancel it. */
  private static final long CHECK_MILLIS = 15_000;

  private final Task task;
  private final Patience patience;
  private final ScheduledExecutorService timer;
  private final long untilNanos;
  private final CompletableFuture<CommandResult<TaskStatus>> status = new CompletableFuture<>();

  /**
   * A task.
   *
   * @param reading reads its status
   * @param running the background call if it runs here
   */
  record Task(
      Supplier<CompletableFuture<CommandResult<TaskStatus>>> reading,
      Supplier<Optional<BackgroundCall>> running) {}

  /**
   * How long to wait.
   *
   * @param waitWhile the status is not final and meets this
   * @param outlastsRefusals whether to wait on when the journal refuses to be read: no caller is
   *     there to be told
   */
  record Patience(
      long millisMax, Predicate<TaskStatus.Known> waitWhile, boolean outlastsRefusals) {}

  StatusWait(Task task, Patience patience, ScheduledExecutorService timer) {
    this.task = task;
    this.patience = patience;
    this.timer = timer;
    this.untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patience.millisMax);
  }

  /** Starts to wait: the caller has come back for the task, and may have to again. */
  CompletableFuture<CommandResult<TaskStatus>> start() {
    task.running
        .get()
        .ifPresent(backgroundCall -> {
          backgroundCall.addWaiter();
          CompletableFuture<Void> _ =
              status.handle((_, _) -> null).thenRun(backgroundCall::removeWaiter);
        });
    poll();
    return status;
  }

  private void poll() {
    if (!status.isDone()) {
      // from before the reading, so that no change between the two is missed
      CompletableFuture<Void> change =
          task.running.get().map(BackgroundCall::nextChange).orElse(null);
      CompletableFuture<Void> _ =
          CompletableFuture.completedFuture(null)
              .thenCompose(_ -> task.reading.get()) // where it throws, the wait fails, too
              .thenAccept(found -> onStatus(found, change))
              .exceptionally(failure -> {
                status.completeExceptionally(failure);
                return null;
              });
    }
  }

  private void onStatus(CommandResult<TaskStatus> found, @Nullable CompletableFuture<Void> change) {
    long millisLeft = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
    if (millisLeft <= 0) {
      status.complete(found);
      return;
    }
    switch (found) {
      case CommandResult.Stored<TaskStatus>(TaskStatus.Known known)
          when !known.state().isFinal() && patience.waitWhile.test(known) ->
          pause(change, millisLeft);
      case CommandResult.Refused<TaskStatus> _ when patience.outlastsRefusals ->
          pause(null, millisLeft);
      case CommandResult.Stored<TaskStatus> _, CommandResult.Refused<TaskStatus> _ ->
          status.complete(found);
    }
  }

  /** Waits until the task's state changes here, or until its status has to be read again. */
  private void pause(@Nullable CompletableFuture<Void> change, long millisLeft) {
    CompletableFuture<Void> wakeUp = new CompletableFuture<>();
    long millis = Math.min(change == null ? POLL_MILLIS : CHECK_MILLIS, millisLeft);
    ScheduledFuture<?> timeout =
        timer.schedule(() -> wakeUp.complete(null), millis, TimeUnit.MILLISECONDS);
    CompletableFuture<Boolean> _ = status.handle((_, _) -> wakeUp.complete(null));
    CompletableFuture<Void> _ =
        CompletableFuture.anyOf(change == null ? wakeUp : change, wakeUp)
            .thenRun(() -> {
              timeout.cancel(false);
              poll();
            });
  }
}
