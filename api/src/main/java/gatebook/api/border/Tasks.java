package gatebook.api.border;

import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.task.TaskId;
import gatebook.command.task.TaskStanding;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What one caller left behind here, and comes back for. What he is told of it follows from how it
 * stands; what cannot be found out is a fault.
 */
public interface Tasks {

  /** Of one who never left anything. */
  Tasks NONE =
      new Tasks() {
        @Override
        public CompletableFuture<Ended> ask(TaskId task, Function<TaskStanding, Ended> told) {
          return CompletableFuture.completedFuture(told.apply(new TaskStanding.Unknown()));
        }

        @Override
        public CompletableFuture<Ended> await(
            TaskId task,
            long millisMax,
            Predicate<TaskStanding.Known> worth,
            Function<TaskStanding, Ended> told) {
          return ask(task, told);
        }

        @Override
        public CompletableFuture<Ended> cancel(TaskId task, Function<TaskStanding, Ended> told) {
          return ask(task, told);
        }
      };

  /** How it stands now. */
  CompletableFuture<Ended> ask(TaskId task, Function<TaskStanding, Ended> told);

  /**
   * How it stands when that is final, or when the time is over. Cancelling the future ends the
   * waiting, and nothing else.
   *
   * @param worth whether it is waited for at all, as it stands
   */
  CompletableFuture<Ended> await(
      TaskId task,
      long millisMax,
      Predicate<TaskStanding.Known> worth,
      Function<TaskStanding, Ended> told);

  /** How it stands once it is cancelled, unless that was final before. */
  CompletableFuture<Ended> cancel(TaskId task, Function<TaskStanding, Ended> told);
}
