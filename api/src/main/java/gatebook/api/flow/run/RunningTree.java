package gatebook.api.flow.run;

import gatebook.api.flow.executor.TreeServices;
import gatebook.api.flow.task.ExecutionFact;
import gatebook.api.flow.task.ExecutionListener;
import gatebook.api.gateway.message.HoldListener;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.execution.EndExecution;
import gatebook.events.call.Correlation;
import gatebook.events.tree.TreeStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One execution of a tree: starts each task when it can run, and goes on when it has ended. Each
 * step begins when the one before is recorded.
 */
public final class RunningTree {
  private static final Logger LOG = LoggerFactory.getLogger(RunningTree.class);

  private final TreeServices services;
  private final RunSlots runSlots;
  private final TreeRunner.Execution execution;
  private final @Nullable Correlation correlation;
  private final TreeSchedule schedule;
  private final IntSupplier runningMax;
  private final List<ExecutionListener> listeners;

  /** The results that tasks which depend on others are given. */
  private final TreeResults treeResults;

  private final Map<String, CompletableFuture<TreeStatus>> taskEnds = new ConcurrentHashMap<>();

  /** The tasks that were cancelled, some of them just before their run began. */
  private final Set<String> cancelled = ConcurrentHashMap.newKeySet();

  private final Map<String, TaskAttempts> attempts = new ConcurrentHashMap<>();

  /** How many tasks have ended, as far as the listeners know. */
  private final AtomicInteger endedTasks;

  private final CompletableFuture<TreeStatus> end = new CompletableFuture<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** The tasks that have a slot: those that run and do not wait for an approval. */
  private final Set<String> withSlot = new HashSet<>();

  /** One object, so that this tree waits for a slot once. */
  private final Runnable whenSlotFree = this::startReady;

  private boolean ending;

  /** How many tasks are being read that the owner has updated. */
  private final AtomicInteger updating = new AtomicInteger();

  /**
   * @param resultMemory is shared by all trees
   * @param correlation of the calls of its tasks; absent when they have none in common
   * @param runningMax how many tasks run at once
   * @param listeners receive what is recorded
   */
  RunningTree(
      TreeServices services,
      RunSlots runSlots,
      ResultMemory resultMemory,
      TreeRunner.Execution execution,
      @Nullable Correlation correlation,
      TreeSchedule schedule,
      IntSupplier runningMax,
      List<ExecutionListener> listeners) {
    this.services = services;
    this.runSlots = runSlots;
    this.execution = execution;
    this.correlation = correlation;
    this.schedule = schedule;
    this.runningMax = runningMax;
    this.listeners = List.copyOf(listeners);
    this.endedTasks = new AtomicInteger(schedule.ended());
    this.treeResults =
        new TreeResults(
            resultMemory, id -> services.readResult(new TaskKey(execution.owner(), id)));
  }

  /** Completed with the status of the whole when nothing more can start. */
  public CompletableFuture<TreeStatus> end() {
    return end;
  }

  /** Goes on with what ran when its process died, and starts what can run. */
  void start() {
    List<ScheduledTask> interrupted =
        schedule.tasks().stream().filter(task -> task.status() == TreeStatus.IN_PROGRESS).toList();
    runLocked(() -> withSlot.addAll(interrupted.stream().map(ScheduledTask::id).toList()));
    interrupted.forEach(task -> {
      runSlots.takeAnyway();
      run(task, attempts(task).resume());
    });
    startReady();
  }

  /**
   * Starts what can run, as far as there are slots. When nothing can, the execution ends; the
   * position of the changes is taken first, so that all up to it have been applied.
   */
  private void startReady() {
    long seen = services.recordedTaskChanges().position();
    List<ScheduledTask> toStart = new ArrayList<>();
    Optional<EndExecution> ended;
    lock.lock();
    try {
      while (!ending
          && schedule.hasReady()
          && withSlot.size() < runningMax.getAsInt()
          && runSlots.take(whenSlotFree)) {
        ScheduledTask next = schedule.start();
        withSlot.add(next.id());
        toStart.add(next);
      }
      ended =
          !ending && updating.get() == 0 && schedule.hasEnded()
              ? Optional.of(end(seen))
              : Optional.empty();
      ending |= ended.isPresent();
    } finally {
      lock.unlock();
    }
    toStart.forEach(task -> run(task, attempts(task).start()));
    ended.ifPresent(this::endExecution);
  }

  private TaskAttempts attempts(ScheduledTask scheduled) {
    TaskAttempts created =
        new TaskAttempts(
            services,
            execution.executionId(),
            correlation,
            scheduled.task(),
            treeResults.of(scheduled.dependencies()),
            this::tell,
            new Slot(scheduled));
    attempts.put(scheduled.id(), created);
    if (cancelled.contains(scheduled.id())) {
      created.cancel();
    }
    return created;
  }

  private void run(ScheduledTask scheduled, CompletableFuture<TaskEnd> ended) {
    CompletableFuture<Void> _ =
        ended
            .thenCompose(end -> tellEnd(scheduled, end))
            .exceptionally(failure -> {
              LOG.atError()
                  .addKeyValue("tree_id", execution.treeId())
                  .addKeyValue("task_id", scheduled.id())
                  .setCause(failure)
                  .log("the end of a task cannot be read");
              return new TaskEnd.NotRun();
            })
            .thenAccept(end -> finish(scheduled, end));
  }

  private CompletableFuture<TaskEnd> tellEnd(ScheduledTask scheduled, TaskEnd taskEnd) {
    return !listeners.isEmpty()
            && taskEnd instanceof TaskEnd.Ended(var status, _)
            && status.isTerminal()
        ? services
            .readTask(scheduled.task().task().key())
            .thenApply(found -> {
              found.ifPresent(task -> tell(new ExecutionFact.TaskEnded(task)));
              return taskEnd;
            })
        : done(taskEnd);
  }

  private void tell(ExecutionFact fact) {
    int ended =
        fact instanceof ExecutionFact.TaskEnded ? endedTasks.incrementAndGet() : endedTasks.get();
    double share = (double) ended / Math.max(ended, schedule.tasks().size());
    listeners.forEach(listener -> listener.on(fact, share));
  }

  private void finish(ScheduledTask scheduled, TaskEnd taskEnd) {
    runLocked(() -> apply(scheduled, taskEnd));
    attempts.remove(scheduled.id());
    switch (taskEnd) {
      case TaskEnd.Ended(var status, _) -> completeEnd(scheduled.id(), status);
      case TaskEnd.Deleted _, TaskEnd.NotRun _ -> completeEnd(scheduled.id(), TreeStatus.PENDING);
      case TaskEnd.Changed _ -> {
        // a request that waits for its end goes on waiting
      }
    }
    releaseSlot(scheduled);
    startReady();
  }

  private void apply(ScheduledTask scheduled, TaskEnd taskEnd) {
    switch (taskEnd) {
      case TaskEnd.Ended(var status, var result) -> {
        if (result != null) {
          treeResults.add(scheduled.id(), result);
        }
        schedule.end(scheduled, status);
      }
      case TaskEnd.Changed(var task) -> schedule.restart(scheduled, task);
      case TaskEnd.Deleted _ -> schedule.remove(scheduled);
      case TaskEnd.NotRun _ -> schedule.end(scheduled, TreeStatus.PENDING);
    }
  }

  /** The slot of a task, which it needs unless it waits for an approval. */
  private final class Slot implements HoldListener {
    private final ScheduledTask scheduled;

    Slot(ScheduledTask scheduled) {
      this.scheduled = scheduled;
    }

    @Override
    public void onHeld() {
      releaseSlot(scheduled);
    }

    @Override
    public void onNoRoom() {
      releaseSlot(scheduled);
    }

    /** It runs now, also beyond the number of slots: then nothing else starts. */
    @Override
    public void onResumed() {
      if (getLocked(() -> attempts.containsKey(scheduled.id()) && withSlot.add(scheduled.id()))) {
        runSlots.takeAnyway();
      }
    }
  }

  private void completeEnd(String taskId, TreeStatus status) {
    CompletableFuture<TreeStatus> waiter = taskEnds.remove(taskId);
    if (waiter != null) {
      waiter.complete(status);
    }
  }

  private void releaseSlot(ScheduledTask scheduled) {
    if (getLocked(() -> withSlot.remove(scheduled.id()))) {
      runSlots.release();
      startReady();
    }
  }

  /** Completed when a task has ended, or with the execution when it cannot run. */
  public CompletableFuture<TreeStatus> taskEnd(String taskId) {
    CompletableFuture<TreeStatus> taskEnd =
        taskEnds.computeIfAbsent(taskId, _ -> new CompletableFuture<>());
    Optional<TreeStatus> status = getLocked(() -> schedule.task(taskId).map(ScheduledTask::status));
    status.filter(TreeStatus::isTerminal).ifPresent(taskEnd::complete);
    CompletableFuture<Void> _ = end.thenAccept(_ -> taskEnd.complete(TreeStatus.PENDING));
    return taskEnd;
  }

  /** A task was updated: if it has yet to start, it starts as what it is now, when that can run. */
  public CompletableFuture<Void> update(TaskKey key) {
    updating.incrementAndGet();
    return services
        .readTask(key)
        .thenAccept(found -> found.ifPresent(task -> runLocked(() -> schedule.replace(task))))
        .exceptionally(failure -> {
          LOG.atError()
              .addKeyValue("tree_id", execution.treeId())
              .addKeyValue("task_id", key.taskId())
              .setCause(failure)
              .log("an updated task cannot be read: it is read again when it starts");
          return null;
        })
        .thenAccept(_ -> {
          updating.decrementAndGet();
          startReady();
        });
  }

  /** A task was deleted, before it started: it is no part of the execution any more. */
  public void delete(String taskId) {
    runLocked(() ->
        schedule
            .task(taskId)
            .filter(task -> task.status() == TreeStatus.PENDING)
            .ifPresent(schedule::remove));
    startReady();
  }

  /** A task was cancelled: it does not start any more, or its run is stopped. */
  public void cancel(String taskId) {
    cancelled.add(taskId);
    Optional<ScheduledTask> withdrawn =
        getLocked(() -> schedule.task(taskId).filter(schedule::withdraw));
    TaskAttempts running = attempts.get(taskId);
    if (withdrawn.isPresent()) {
      run(withdrawn.get(), done(new TaskEnd.Ended(TreeStatus.CANCELLED, null)));
    } else if (running != null) {
      running.cancel();
    }
  }

  private static <T> CompletableFuture<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }

  private EndExecution end(long seen) {
    return new EndExecution(
        execution.treeId(),
        execution.executionId(),
        schedule.status(),
        schedule.blocked(),
        seen,
        services.clock().instant());
  }

  private void endExecution(EndExecution command) {
    CompletableFuture<Void> _ =
        services
            .retryingSender()
            .command(_ -> command, Boolean.class)
            .handle((ended, failure) -> {
              if (failure == null && !ended) {
                TreeRunner.AFTER_PAUSE.execute(this::goOn);
                return null;
              }
              if (failure == null) {
                tell(
                    new ExecutionFact.ExecutionEnded(
                        command.status(), command.blocked(), command.at()));
              } else {
                LOG.atError()
                    .addKeyValue("tree_id", execution.treeId())
                    .setCause(failure)
                    .log("the end of a tree's execution could not be recorded");
              }
              treeResults.close();
              end.complete(command.status());
              return null;
            });
  }

  /** The owner has changed a task just before the end: the change is reported in a moment. */
  private void goOn() {
    runLocked(() -> ending = false);
    startReady();
  }

  private <T> T getLocked(Supplier<T> access) {
    lock.lock();
    try {
      return access.get();
    } finally {
      lock.unlock();
    }
  }

  private void runLocked(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }
}
