package gatebook.api.gateway;

import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskStatus;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What one caller left behind here, and comes back for. What he is told of it follows from how it
 * stands; what cannot be found out is a fault.
 */
public interface CallerTasks {

  /** Of one who never left anything. */
  CallerTasks NONE =
      new CallerTasks() {
        @Override
        public CompletableFuture<Ended> ask(TaskId task, Function<TaskStatus, Ended> told) {
          return CompletableFuture.completedFuture(told.apply(new TaskStatus.Unknown()));
        }

        @Override
        public CompletableFuture<Ended> await(
            TaskId task,
            long millisMax,
            Predicate<TaskStatus.Known> worth,
            Function<TaskStatus, Ended> told) {
          return ask(task, told);
        }

        @Override
        public CompletableFuture<Ended> cancel(TaskId task, Function<TaskStatus, Ended> told) {
          return ask(task, told);
        }
      };

  /** How it stands now. */
  CompletableFuture<Ended> ask(TaskId task, Function<TaskStatus, Ended> told);

  /**
   * How it stands when that is final, or when the time is over. Cancelling the future ends the
   * waiting, and nothing else.
   *
   * @param worth whether it is waited for at all, as it stands
   */
  CompletableFuture<Ended> await(
      TaskId task,
      long millisMax,
      Predicate<TaskStatus.Known> worth,
      Function<TaskStatus, Ended> told);

  /** How it stands once it is cancelled, unless that was final before. */
  CompletableFuture<Ended> cancel(TaskId task, Function<TaskStatus, Ended> told);
}
