package gatebook.api.flow;

import gatebook.api.flow.TaskExecutors.RunEnd;
import gatebook.command.rules.Rules;
import gatebook.command.tree.EndExecution;
import gatebook.command.tree.GetTreeTask;
import gatebook.command.tree.SettleTreeTask;
import gatebook.command.tree.SettleTreeTask.Ending;
import gatebook.command.tree.StartTreeTask;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.TreeOutcome;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One execution of a tree: starts each task when it can run, and settles it when it ended. Each
 * step begins when the one before is recorded.
 */
final class RunningTree {
  private static final Logger LOG = LoggerFactory.getLogger(RunningTree.class);

  private final TreeServices services;
  private final RunSlots runSlots;
  private final TreeRunner.Execution execution;
  private final TreeSchedule schedule;
  private final int runningMax;

  /** The results of completed tasks, which tasks that depend on them are given. */
  private final Map<String, String> results = new ConcurrentHashMap<>();

  private final Map<String, CompletableFuture<TreeStatus>> taskEnds = new ConcurrentHashMap<>();

  /** The tasks that were cancelled, some of them just before their run began. */
  private final Set<String> cancelled = ConcurrentHashMap.newKeySet();

  private final Map<String, RunConnection> connections = new ConcurrentHashMap<>();
  private final CompletableFuture<TreeStatus> end = new CompletableFuture<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** One object, so that this tree waits for a slot once. */
  private final Runnable whenSlotFree = this::startReady;

  private boolean ending;

  RunningTree(
      TreeServices services,
      RunSlots runSlots,
      TreeRunner.Execution execution,
      TreeSchedule schedule,
      int runningMax) {
    this.services = services;
    this.runSlots = runSlots;
    this.execution = execution;
    this.schedule = schedule;
    this.runningMax = runningMax;
    schedule
        .tasks()
        .forEach(scheduled -> {
          String result = scheduled.task.result();
          if (result != null) {
            results.put(scheduled.id(), result);
          }
        });
  }

  /** Completed with the status of the whole when nothing more can start. */
  CompletableFuture<TreeStatus> end() {
    return end;
  }

  /** Starts what can run, as far as there are slots. */
  void startReady() {
    List<ScheduledTask> toStart = new ArrayList<>();
    boolean hasEnded;
    lock.lock();
    try {
      while (schedule.hasReady()
          && schedule.running() < runningMax
          && runSlots.take(whenSlotFree)) {
        toStart.add(schedule.start());
      }
      hasEnded = !ending && schedule.hasEnded();
      ending |= hasEnded;
    } finally {
      lock.unlock();
    }
    toStart.forEach(this::start);
    if (hasEnded) {
      endExecution();
    }
  }

  private void start(ScheduledTask scheduled) {
    CompletableFuture<Void> _ =
        record(
                _ ->
                    new StartTreeTask(
                        key(scheduled), execution.executionId(), services.clock().instant()),
                StartTreeTask.Outcome.class)
            .thenCompose(outcome ->
                switch (outcome) {
                  case StartTreeTask.Outcome.Started(int attempt) -> run(scheduled, attempt);
                  case StartTreeTask.Outcome.NotPending() -> currentStatus(scheduled);
                })
            .exceptionally(failure -> failed(scheduled, failure))
            .thenAccept(status -> finish(scheduled, status));
  }

  /** Sends a command until it is recorded. */
  private <R> CompletableFuture<R> record(Function<Rules, Object> command, Class<R> outcome) {
    return services.retryingSender().command(command, outcome);
  }

  private TreeStatus failed(ScheduledTask scheduled, Throwable failure) {
    LOG.atError()
        .addKeyValue("tree_id", execution.treeId())
        .addKeyValue("task_id", scheduled.id())
        .setCause(failure)
        .log("a task of a tree could not be run");
    return TreeStatus.PENDING;
  }

  private CompletableFuture<TreeStatus> run(ScheduledTask scheduled, int attempt) {
    RunConnection connection = new RunConnection();
    connections.put(scheduled.id(), connection);
    if (cancelled.contains(scheduled.id())) {
      connection.cancel();
    }
    return services
        .taskExecutors()
        .run(
            scheduled.task,
            dependencyResults(scheduled),
            rules(),
            services.clock().instant(),
            connection)
        .exceptionally(failure -> {
          failed(scheduled, failure);
          return new RunEnd(new Ending.Failure("the task could not be run", null), null);
        })
        .thenCompose(runEnd -> settle(scheduled, attempt, runEnd));
  }

  private Map<String, String> dependencyResults(ScheduledTask scheduled) {
    Map<String, String> found = new LinkedHashMap<>();
    for (TaskDependency dependency : scheduled.task.task().content().dependencies()) {
      String result = results.get(dependency.id());
      if (result != null) {
        found.put(dependency.id(), result);
      }
    }
    return found;
  }

  private CompletableFuture<TreeStatus> settle(
      ScheduledTask scheduled, int attempt, RunEnd runEnd) {
    connections.remove(scheduled.id());
    if (runEnd.ending() instanceof Ending.Result(var json)) {
      results.put(scheduled.id(), json);
    }
    Instant at = services.clock().instant();
    return record(
            rules ->
                new SettleTreeTask(
                    key(scheduled), attempt, runEnd.ending(), runEnd.callId(), at, rules.hash()),
            Boolean.class)
        .thenCompose(settled ->
            settled
                ? CompletableFuture.completedFuture(status(runEnd.ending()))
                : currentStatus(scheduled));
  }

  private static TreeStatus status(Ending ending) {
    return switch (ending) {
      case Ending.Result _ -> TreeStatus.COMPLETED;
      case Ending.Failure _ -> TreeStatus.FAILED;
    };
  }

  /** The status that the journal has, when something else than this execution changed it. */
  private CompletableFuture<TreeStatus> currentStatus(ScheduledTask scheduled) {
    return services
        .retryingSender()
        .query(rules -> new GetTreeTask(key(scheduled), rules.hash()), GetTreeTask.Result.class)
        .thenApply(
            found -> found.task().map(task -> task.task().status()).orElse(TreeStatus.CANCELLED));
  }

  private void finish(ScheduledTask scheduled, TreeStatus status) {
    lock.lock();
    try {
      schedule.end(scheduled, status);
    } finally {
      lock.unlock();
    }
    CompletableFuture<TreeStatus> waiter = taskEnds.remove(scheduled.id());
    if (waiter != null) {
      waiter.complete(status);
    }
    runSlots.release();
    startReady();
  }

  /** Completed when a task has ended, or with the execution when it cannot run. */
  CompletableFuture<TreeStatus> taskEnd(String taskId) {
    CompletableFuture<TreeStatus> taskEnd =
        taskEnds.computeIfAbsent(taskId, _ -> new CompletableFuture<>());
    lock.lock();
    try {
      schedule
          .task(taskId)
          .map(ScheduledTask::status)
          .filter(TreeStatus::isTerminal)
          .ifPresent(taskEnd::complete);
    } finally {
      lock.unlock();
    }
    CompletableFuture<Void> _ = end.thenAccept(_ -> taskEnd.complete(TreeStatus.PENDING));
    return taskEnd;
  }

  /** A task was cancelled: it does not start any more, or its run is stopped. */
  void cancel(String taskId) {
    cancelled.add(taskId);
    boolean isPending;
    lock.lock();
    try {
      isPending = schedule.task(taskId).map(schedule::cancel).orElse(false);
    } finally {
      lock.unlock();
    }
    if (isPending) {
      startReady();
      return;
    }
    RunConnection connection = connections.get(taskId);
    if (connection != null) {
      connection.cancel();
    }
  }

  private void endExecution() {
    TreeStatus status = schedule.status();
    EndExecution command =
        new EndExecution(
            execution.treeId(),
            execution.executionId(),
            status,
            schedule.blocked(),
            services.clock().instant());
    CompletableFuture<Void> _ =
        record(_ -> command, TreeOutcome.class)
            .handle((_, failure) -> {
              if (failure != null) {
                LOG.atError()
                    .addKeyValue("tree_id", execution.treeId())
                    .setCause(failure)
                    .log("the end of a tree's execution could not be recorded");
              }
              end.complete(status);
              return null;
            });
  }

  private TaskKey key(ScheduledTask scheduled) {
    return new TaskKey(execution.owner(), scheduled.id());
  }

  private Rules rules() {
    return services.routingSnapshots().get().rules();
  }
}
