package gatebook.api.a2a;

import gatebook.api.a2a.message.A2aMeters;
import gatebook.api.a2a.message.A2aMeters.StoreOperation;
import gatebook.api.a2a.message.A2aMeters.StoreResult;
import gatebook.api.gateway.message.CallerTasks;
import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskState;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.call.task.TaskStatus.Known;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;

/** A caller's tasks whose reads and cancellations are counted. */
public record CountedCallerTasks(CallerTasks delegate, A2aMeters meters) implements CallerTasks {

  /** The same context with its tasks counted. */
  static AnswerContext in(AnswerContext context, A2aMeters meters) {
    return context.withTasks(new CountedCallerTasks(context.tasks(), meters));
  }

  @Override
  public CompletableFuture<Ended> status(TaskId task, Function<TaskStatus, Ended> toEnded) {
    StoreCounting counting = new StoreCounting(StoreOperation.GET, _ -> StoreResult.SUCCESS);
    return counting.of(delegate.status(task, counting.seen(toEnded)));
  }

  /** Counts each task that is read, or one error. */
  @Override
  public CompletableFuture<Ended> statuses(
      List<TaskId> tasks, Function<List<TaskStatus>, Ended> toEnded) {
    AtomicBoolean areRead = new AtomicBoolean();
    return delegate
        .statuses(
            tasks,
            statuses -> {
              areRead.set(true);
              statuses.forEach(status ->
                  meters.count(StoreOperation.GET, result(status, _ -> StoreResult.SUCCESS)));
              return toEnded.apply(statuses);
            })
        .whenComplete((_, _) -> {
          if (!areRead.get()) {
            meters.count(StoreOperation.GET, StoreResult.ERROR);
          }
        });
  }

  @Override
  public CompletableFuture<Ended> await(
      TaskId task,
      long millisMax,
      Predicate<Known> waitWhile,
      Function<TaskStatus, Ended> toEnded) {
    return delegate.await(task, millisMax, waitWhile, toEnded);
  }

  /** A wait that its caller ends is no operation that failed. */
  @Override
  public CompletableFuture<Optional<TaskStatus>> awaitChange(TaskId task, TaskState state) {
    CompletableFuture<Optional<TaskStatus>> change = delegate.awaitChange(task, state);
    CompletableFuture<Optional<TaskStatus>> counted =
        change.whenComplete((status, failure) -> {
          if (!(failure instanceof CancellationException)) {
            meters.count(
                StoreOperation.FOLLOW,
                status == null
                    ? StoreResult.ERROR
                    : status
                        .map(it -> result(it, _ -> StoreResult.SUCCESS))
                        .orElse(StoreResult.ERROR));
          }
        });
    CompletableFuture<Optional<TaskStatus>> _ =
        counted.whenComplete((_, _) -> change.cancel(false));
    return counted;
  }

  @Override
  public CompletableFuture<Ended> cancel(TaskId task, Function<TaskStatus, Ended> toEnded) {
    StoreCounting counting =
        new StoreCounting(
            StoreOperation.CANCEL,
            state ->
                state instanceof CallOutcome.Cancelled
                    ? StoreResult.SUCCESS
                    : StoreResult.CONFLICT);
    return counting.of(delegate.cancel(task, counting.seen(toEnded)));
  }

  private static StoreResult result(TaskStatus status, Function<TaskState, StoreResult> ofKnown) {
    return switch (status) {
      case TaskStatus.Unknown(), TaskStatus.Expired _ -> StoreResult.NOT_FOUND;
      case Known known -> ofKnown.apply(known.state());
    };
  }

  /** The counting of one operation: an error unless a status was seen. */
  private final class StoreCounting {
    private final StoreOperation operation;
    private final Function<TaskState, StoreResult> ofKnown;
    private final AtomicReference<StoreResult> found = new AtomicReference<>(StoreResult.ERROR);

    StoreCounting(StoreOperation operation, Function<TaskState, StoreResult> ofKnown) {
      this.operation = operation;
      this.ofKnown = ofKnown;
    }

    Function<TaskStatus, Ended> seen(Function<TaskStatus, Ended> toEnded) {
      return status -> {
        found.set(result(status, ofKnown));
        return toEnded.apply(status);
      };
    }

    CompletableFuture<Ended> of(CompletableFuture<Ended> pending) {
      return pending.whenComplete((_, _) -> meters.count(operation, found.get()));
    }
  }
}
