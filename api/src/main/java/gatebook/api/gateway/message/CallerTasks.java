package gatebook.api.gateway.message;

import gatebook.api.upstream.CancellableStep;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.TaskId;
import gatebook.command.call.task.TaskStatus;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/** The tasks of one caller, whose outcomes it can fetch later. */
public interface CallerTasks {

  /** Longer than any task is kept. */
  long FOREVER_MILLIS = Long.MAX_VALUE / 1_000_000;

  /** The tasks of a caller that has none. */
  CallerTasks NONE =
      new CallerTasks() {
        @Override
        public CompletableFuture<CommandResult<TaskStatus>> status(TaskId task) {
          return CompletableFuture.completedFuture(
              new CommandResult.Stored<>(new TaskStatus.Unknown()));
        }

        @Override
        public CompletableFuture<CommandResult<TaskStatus>> await(
            TaskId task, long millisMax, Predicate<TaskStatus.Known> waitWhile) {
          return status(task);
        }

        @Override
        public CompletableFuture<CommandResult<TaskStatus>> cancel(TaskId task) {
          return status(task);
        }
      };

  /** The current status. */
  CompletableFuture<CommandResult<TaskStatus>> status(TaskId task);

  /**
   * The status when it is final, or when the time is over. Cancelling the future ends the wait, and
   * nothing else.
   *
   * @param waitWhile whether to go on waiting, given the current status
   */
  CompletableFuture<CommandResult<TaskStatus>> await(
      TaskId task, long millisMax, Predicate<TaskStatus.Known> waitWhile);

  /** The status after the task is cancelled, unless it was final before. */
  CompletableFuture<CommandResult<TaskStatus>> cancel(TaskId task);

  /** The response that follows from what was found; what cannot be read is a fault. */
  static <R> CompletableFuture<Ended> ended(
      CompletableFuture<CommandResult<R>> pending, Function<R, Ended> toEnded) {
    return CancellableStep.after(
        pending,
        found ->
            switch (found) {
              case CommandResult.Stored<R>(var outcome) -> toEnded.apply(outcome);
              case CommandResult.Refused<R> _ ->
                  new Ended.Failure(new ServiceUnavailable(Cause.JOURNAL, null));
            });
  }
}
