package gatebook.api.flow.run;

import gatebook.api.flow.executor.DependencyResults;
import gatebook.api.flow.executor.TaskExecutors;
import gatebook.api.flow.executor.TaskExecutors.RunEnd;
import gatebook.api.flow.executor.TreeServices;
import gatebook.api.flow.task.ExecutionFact;
import gatebook.api.flow.task.TaskDefinition;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.HoldListener;
import gatebook.api.gateway.message.PendingCaller;
import gatebook.api.gateway.message.TaskRun;
import gatebook.command.call.task.GetCallState;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.tree.MeantExecutor;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.RetryTreeTask;
import gatebook.command.tree.SettleTreeTask;
import gatebook.command.tree.SettleTreeTask.Ending;
import gatebook.command.tree.StartTreeTask;
import gatebook.command.tree.TaskKey;
import gatebook.events.CallAbandoned.Cause;
import gatebook.events.call.Correlation;
import gatebook.events.fault.Fault;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.tree.TreeStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The attempts to run one task of a tree, until it has ended. Each step is recorded first. */
final class TaskAttempts {
  private static final Logger LOG = LoggerFactory.getLogger(TaskAttempts.class);
  private static final String INTERRUPTED = "Interrupted by a restart";
  private static final RunEnd UNREADABLE =
      new RunEnd(new Ending.Failure("the task's definition cannot be read any more", null), null);
  private static final String NOT_RECORDED = "the end of the task could not be recorded";

  private final TreeServices services;
  private final UUID executionId;
  private final @Nullable Correlation correlation;
  private final ReadTask task;
  private final Optional<TaskDefinition> definition;
  private final DependencyResults dependencyResults;
  private final Consumer<ExecutionFact> facts;
  private final HoldListener holdListener;
  private final PendingCaller caller = new PendingCaller();

  /** The number of the first attempt of this execution; the others are retries of it. */
  private int firstAttempt;

  /**
   * @param correlation of the calls of the execution; absent when they have none in common
   * @param dependencyResults the results of completed tasks on which it depends
   * @param facts receives what is recorded
   * @param holdListener learns when the task's call has to wait for an approval
   */
  TaskAttempts(
      TreeServices services,
      UUID executionId,
      @Nullable Correlation correlation,
      ReadTask task,
      DependencyResults dependencyResults,
      Consumer<ExecutionFact> facts,
      HoldListener holdListener) {
    this.services = services;
    this.executionId = executionId;
    this.correlation = correlation;
    this.task = task;
    this.definition = TaskDefinition.stored(task);
    this.dependencyResults = dependencyResults;
    this.facts = facts;
    this.holdListener = holdListener;
  }

  /** An attempt; {@code callId} is absent when no call is to be made. */
  private record Attempt(int number, @Nullable UUID callId) {}

  /** Starts the task; completed with its status when it has ended. */
  CompletableFuture<TaskEnd> start() {
    UUID callId = nextCallId();
    return unlessFailed(
        record(
                _ -> new StartTreeTask(key(), executionId, task.task().updatedAt(), callId, now()),
                StartTreeTask.Outcome.class)
            .thenCompose(outcome ->
                switch (outcome) {
                  case StartTreeTask.Outcome.Started(int attempt) -> {
                    facts.accept(new ExecutionFact.TaskStarted(task.id(), now()));
                    firstAttempt = attempt;
                    yield run(new Attempt(attempt, callId));
                  }
                  case StartTreeTask.Outcome.NotPending() -> currentEnd();
                  case StartTreeTask.Outcome.Changed() -> changed();
                }));
  }

  private @Nullable UUID nextCallId() {
    return definition.filter(TaskExecutors::callsTool).isPresent()
        ? services.taskExecutors().nextCallId()
        : null;
  }

  private CompletableFuture<TaskEnd> unlessFailed(CompletableFuture<TaskEnd> end) {
    return end.exceptionally(failure -> {
      logFailure(failure);
      return new TaskEnd.NotRun();
    });
  }

  /**
   * Continues a task that ran when its process died. Waits for a call that waits for an approval,
   * and makes a pending retry when it is due. Runs an attempt again that had no effect or is
   * idempotent; any other attempt has failed, because its effects are unknown.
   */
  CompletableFuture<TaskEnd> resume() {
    Attempt attempt = new Attempt(task.task().attempt(), task.task().callId());
    firstAttempt = task.task().firstAttempt();
    return unlessFailed(resume(attempt));
  }

  private CompletableFuture<TaskEnd> resume(Attempt attempt) {
    return attempt.callId == null
        ? run(attempt)
        : callState(attempt.callId).thenCompose(call -> resume(attempt, attempt.callId, call));
  }

  private CompletableFuture<TaskEnd> resume(
      Attempt attempt, UUID callId, GetCallState.Result call) {
    Ending.Failure interrupted = new Ending.Failure(INTERRUPTED, null);
    Optional<Instant> due = call.isMade() ? Optional.empty() : retryDueAt(attempt);
    if (due.isPresent()) {
      return runAfterPause(due.get(), attempt);
    }
    if (call.taskId().isPresent()) {
      return services
          .taskExecutors()
          .await(
              new TaskRun(key().owner(), task.id(), callId, correlation, null),
              call.taskId().get(),
              caller,
              holdListener)
          .thenCompose(end -> settleOrRetry(attempt, end));
    }
    return (call.isForwarded() ? isIdempotent() : CompletableFuture.completedFuture(true))
        .thenCompose(isMadeAgain ->
            isMadeAgain
                ? retry(attempt, interrupted, Duration.ZERO)
                : settle(attempt, new RunEnd(interrupted, callId)));
  }

  private CompletableFuture<TaskEnd> run(Attempt attempt) {
    return definition
        .map(it ->
            services
                .taskExecutors()
                .run(
                    new TaskExecutors.Run(task.task(), it, dependencyResults),
                    services.routingSnapshots().get(),
                    now(),
                    new TaskExecutors.RunContext(attempt.callId, correlation, caller, new Hold())))
        .orElseGet(() -> CompletableFuture.completedFuture(UNREADABLE))
        .exceptionally(failure -> {
          logFailure(failure);
          return new RunEnd(new Ending.Failure("the task could not be run", null), null);
        })
        .thenCompose(end -> settleOrRetry(attempt, end));
  }

  /** Tells that the call waits for an approval when that is recorded. */
  private final class Hold implements HoldListener {
    @Override
    public void onHeld() {
      facts.accept(new ExecutionFact.TaskHeld(task.id(), now()));
      holdListener.onHeld();
    }

    @Override
    public void onNoRoom() {
      holdListener.onNoRoom();
    }

    @Override
    public void onResumed() {
      holdListener.onResumed();
    }
  }

  private CompletableFuture<TaskEnd> settleOrRetry(Attempt attempt, RunEnd unlimited) {
    RunEnd end =
        unlimited
            .named(task.task().content().executor())
            .limited(rules().limits().getInt(Limit.TREE_RESULT_BYTES_MAX));
    return end.ending() instanceof Ending.Failure failure && end.callId() != null
        ? delay(attempt, end.callId())
            .thenCompose(delay ->
                delay.isPresent() ? retry(attempt, failure, delay.get()) : settle(attempt, end))
        : settle(attempt, end);
  }

  /** When a retry is due that is recorded; empty for an attempt that is none. */
  private Optional<Instant> retryDueAt(Attempt attempt) {
    int madeBefore = attempt.number - firstAttempt;
    return definition
        .flatMap(TaskDefinition::retry)
        .filter(_ -> madeBefore > 0)
        .map(retry -> task.task().updatedAt().plus(retry.pauseAfter(madeBefore)));
  }

  /** How long to wait before the next attempt; empty when there is none. */
  private CompletableFuture<Optional<Duration>> delay(Attempt attempt, UUID callId) {
    int made = attempt.number - firstAttempt + 1;
    Optional<Duration> wanted =
        definition
            .flatMap(TaskDefinition::retry)
            .filter(retry -> !retry.isLast(made))
            .map(retry -> retry.pauseAfter(made));
    return wanted.isEmpty()
        ? CompletableFuture.completedFuture(wanted)
        : callState(callId)
            .thenCompose(call -> canRetry(call.fault()))
            .thenApply(canRetry -> wanted.filter(_ -> canRetry));
  }

  /** What was sent may have had an effect, unless the connection failed. */
  private CompletableFuture<Boolean> canRetry(Optional<Fault> fault) {
    return fault.filter(TaskAttempts::isTransportFault).isPresent()
        ? isIdempotent()
        : CompletableFuture.completedFuture(
            fault.filter(UpstreamFault.UpstreamConnectionFailed.class::isInstance).isPresent());
  }

  private static boolean isTransportFault(Fault fault) {
    return fault instanceof UpstreamFault.UpstreamTimeout
        || (fault instanceof UpstreamFault.UpstreamError error && error.code() == null);
  }

  /** Whether the tool may be called twice with the effect of one call. */
  private CompletableFuture<Boolean> isIdempotent() {
    return definition
        .flatMap(TaskDefinition::executor)
        .map(executor ->
            services
                .executorRegistry()
                .meant(executor, services.routingSnapshots().get())
                .thenApply(meant ->
                    meant instanceof MeantExecutor.Tool(var tool, var source)
                        && source.isIdempotent(tool)))
        .orElseGet(() -> CompletableFuture.completedFuture(false));
  }

  private CompletableFuture<TaskEnd> retry(
      Attempt attempt, Ending.Failure failure, Duration delay) {
    Instant startsAt = now().plus(delay);
    Attempt next = new Attempt(attempt.number + 1, nextCallId());
    return record(
            _ ->
                new RetryTreeTask(
                    key(), attempt.number, failure, attempt.callId, next.callId, startsAt, now()),
            Boolean.class)
        .thenCompose(isRetried -> isRetried ? runAt(startsAt, next) : currentEnd());
  }

  private CompletableFuture<TaskEnd> runAt(Instant startsAt, Attempt attempt) {
    facts.accept(new ExecutionFact.TaskRetried(task.id(), startsAt, now()));
    return runAfterPause(startsAt, attempt);
  }

  private CompletableFuture<TaskEnd> runAfterPause(Instant startsAt, Attempt attempt) {
    CompletableFuture<Void> pause =
        new CompletableFuture<Void>()
            .completeOnTimeout(
                null,
                Math.max(0, Duration.between(now(), startsAt).toMillis()),
                TimeUnit.MILLISECONDS);
    CallerConnection.Watch watch = caller.onDisconnect(_ -> pause.complete(null));
    return pause
        .thenRun(watch::end)
        .thenCompose(_ -> caller.hasEnded() ? currentEnd() : run(attempt));
  }

  /** An end that cannot be recorded becomes a failure, so that the task does not run for ever. */
  private CompletableFuture<TaskEnd> settle(Attempt attempt, RunEnd end) {
    return settled(attempt, end)
        .exceptionallyCompose(failure -> {
          logFailure(failure);
          return settled(attempt, new RunEnd(new Ending.Failure(NOT_RECORDED, null), end.callId()));
        });
  }

  private CompletableFuture<TaskEnd> settled(Attempt attempt, RunEnd end) {
    return record(
            rules ->
                new SettleTreeTask(
                    key(), attempt.number, end.ending(), end.callId(), now(), rules.hash()),
            Boolean.class)
        .thenCompose(settled ->
            settled ? CompletableFuture.completedFuture(taskEnd(end.ending())) : currentEnd());
  }

  private static TaskEnd taskEnd(Ending ending) {
    return switch (ending) {
      case Ending.Result(var json) -> new TaskEnd.Ended(TreeStatus.COMPLETED, json);
      case Ending.Failure _ -> new TaskEnd.Ended(TreeStatus.FAILED, null);
    };
  }

  /** Stops the run: the task was cancelled. */
  void cancel() {
    caller.end(Cause.CANCELLED);
  }

  /** What the journal has, when something else than this execution changed it. */
  private CompletableFuture<TaskEnd> currentEnd() {
    return services
        .readTask(key())
        .thenApply(found ->
            found
                .<TaskEnd>map(read -> new TaskEnd.Ended(read.task().status(), read.result()))
                .orElseGet(TaskEnd.Deleted::new));
  }

  /** What the task was changed to, unless it was cancelled or deleted since. */
  private CompletableFuture<TaskEnd> changed() {
    return services
        .readTask(key())
        .thenCompose(found ->
            found.isPresent() && found.get().task().status() == TreeStatus.PENDING
                ? CompletableFuture.completedFuture(new TaskEnd.Changed(found.get()))
                : currentEnd());
  }

  private CompletableFuture<GetCallState.Result> callState(UUID callId) {
    return services
        .retryingSender()
        .query(_ -> new GetCallState(callId), GetCallState.Result.class);
  }

  private <R> CompletableFuture<R> record(Function<Rules, Object> command, Class<R> outcome) {
    return services.retryingSender().command(command, outcome);
  }

  private void logFailure(Throwable failure) {
    LOG.atError()
        .addKeyValue("tree_id", task.task().treeId())
        .addKeyValue("task_id", task.id())
        .setCause(failure)
        .log("a task of a tree could not be run");
  }

  private TaskKey key() {
    return task.task().key();
  }

  private Rules rules() {
    return services.routingSnapshots().get().rules();
  }

  private Instant now() {
    return services.clock().instant();
  }
}
