package gatebook.api.gateway.message;

import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskState;
import gatebook.command.call.task.TaskStatus;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The tasks of one caller, whose outcomes it can fetch later. The response follows from a task's
 * status; a status that cannot be read is a fault.
 */
public interface CallerTasks {

  /** The tasks of a caller that has none. */
  CallerTasks NONE =
      new CallerTasks() {
        @Override
        public CompletableFuture<Ended> status(TaskId task, Function<TaskStatus, Ended> toEnded) {
          return CompletableFuture.completedFuture(toEnded.apply(new TaskStatus.Unknown()));
        }

        @Override
        public CompletableFuture<Ended> statuses(
            List<TaskId> tasks, Function<List<TaskStatus>, Ended> toEnded) {
          return CompletableFuture.completedFuture(
              toEnded.apply(
                  tasks.stream().<TaskStatus>map(_ -> new TaskStatus.Unknown()).toList()));
        }

        @Override
        public CompletableFuture<Ended> await(
            TaskId task,
            long millisMax,
            Predicate<TaskStatus.Known> waitWhile,
            Function<TaskStatus, Ended> toEnded) {
          return status(task, toEnded);
        }

        @Override
        public CompletableFuture<Optional<TaskStatus>> awaitChange(TaskId task, TaskState state) {
          return CompletableFuture.completedFuture(Optional.of(new TaskStatus.Unknown()));
        }

        @Override
        public CompletableFuture<Ended> cancel(TaskId task, Function<TaskStatus, Ended> toEnded) {
          return status(task, toEnded);
        }
      };

  /** The current status. */
  CompletableFuture<Ended> status(TaskId task, Function<TaskStatus, Ended> toEnded);

  /** The current statuses of several tasks, in their order. */
  CompletableFuture<Ended> statuses(List<TaskId> tasks, Function<List<TaskStatus>, Ended> toEnded);

  /**
   * The status when it is final, or when the time is over. Cancelling the future ends the wait, and
   * nothing else.
   *
   * @param waitWhile whether to go on waiting, given the current status
   */
  CompletableFuture<Ended> await(
      TaskId task,
      long millisMax,
      Predicate<TaskStatus.Known> waitWhile,
      Function<TaskStatus, Ended> toEnded);

  /**
   * The status when the task is no longer in a state; empty when it cannot be read. Cancelling the
   * future ends the wait, and nothing else.
   */
  CompletableFuture<Optional<TaskStatus>> awaitChange(TaskId task, TaskState state);

  /** The status after the task is cancelled, unless it was final before. */
  CompletableFuture<Ended> cancel(TaskId task, Function<TaskStatus, Ended> toEnded);
}
