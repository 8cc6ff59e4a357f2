package gatebook.api.flow;

import gatebook.api.gateway.HoldListener;
import gatebook.command.tree.EndExecution;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.TreeOutcome;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One execution of a tree: starts each task when it can run, and goes on when it has ended. Each
 * step begins when the one before is recorded.
 */
final class RunningTree {
  private static final Logger LOG = LoggerFactory.getLogger(RunningTree.class);

  private final TreeServices services;
  private final RunSlots runSlots;
  private final TreeRunner.Execution execution;
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

  /** The changes by the owner that are being recorded, or were and are being applied. */
  private int changes;

  /**
   * @param resultMemory is shared by all trees
   * @param runningMax how many tasks run at once
   * @param listeners receive what is recorded
   */
  RunningTree(
      TreeServices services,
      RunSlots runSlots,
      ResultMemory resultMemory,
      TreeRunner.Execution execution,
      TreeSchedule schedule,
      IntSupplier runningMax,
      List<ExecutionListener> listeners) {
    this.services = services;
    this.runSlots = runSlots;
    this.execution = execution;
    this.schedule = schedule;
    this.runningMax = runningMax;
    this.listeners = List.copyOf(listeners);
    this.endedTasks = new AtomicInteger(schedule.ended());
    this.treeResults =
        new TreeResults(
            resultMemory, id -> services.readResult(new TaskKey(execution.owner(), id)));
  }

  /** Completed with the status of the whole when nothing more can start. */
  CompletableFuture<TreeStatus> end() {
    return end;
  }

  /** Goes on with what ran when its process died, and starts what can run. */
  void start() {
    List<ScheduledTask> interrupted =
        schedule.tasks().stream().filter(task -> task.status() == TreeStatus.IN_PROGRESS).toList();
    lock.lock();
    try {
      interrupted.forEach(task -> withSlot.add(task.id()));
    } finally {
      lock.unlock();
    }
    interrupted.forEach(task -> {
      runSlots.takeAnyway();
      run(task, attempts(task).resume());
    });
    startReady();
  }

  /** Starts what can run, as far as there are slots. */
  private void startReady() {
    List<ScheduledTask> toStart = new ArrayList<>();
    boolean hasEnded;
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
      hasEnded = !ending && changes == 0 && schedule.hasEnded();
      ending |= hasEnded;
    } finally {
      lock.unlock();
    }
    toStart.forEach(task -> run(task, attempts(task).start()));
    if (hasEnded) {
      endExecution();
    }
  }

  private TaskAttempts attempts(ScheduledTask scheduled) {
    TaskAttempts created =
        new TaskAttempts(
            services,
            execution.executionId(),
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
    lock.lock();
    try {
      apply(scheduled, taskEnd);
    } finally {
      lock.unlock();
    }
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

    /** It runs now, also beyond the number of slots: then nothing else starts. */
    @Override
    public void onResumed() {
      boolean taken;
      lock.lock();
      try {
        taken = attempts.containsKey(scheduled.id()) && withSlot.add(scheduled.id());
      } finally {
        lock.unlock();
      }
      if (taken) {
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
    boolean had;
    lock.lock();
    try {
      had = withSlot.remove(scheduled.id());
    } finally {
      lock.unlock();
    }
    if (had) {
      runSlots.release();
      startReady();
    }
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

  /**
   * Keeps the execution from its end until {@link #endChange}: what could not start may start after
   * a change. Returns false when the end is being recorded already.
   */
  boolean beginChange() {
    lock.lock();
    try {
      changes += ending ? 0 : 1;
      return !ending;
    } finally {
      lock.unlock();
    }
  }

  void endChange() {
    lock.lock();
    try {
      changes--;
    } finally {
      lock.unlock();
    }
    startReady();
  }

  /** A task was updated: if it has yet to start, it starts as what it is now, when that can run. */
  CompletableFuture<Void> update(TaskKey key) {
    return services
        .readTask(key)
        .thenAccept(found -> found.ifPresent(this::replace))
        .exceptionally(failure -> {
          LOG.atError()
              .addKeyValue("tree_id", execution.treeId())
              .addKeyValue("task_id", key.taskId())
              .setCause(failure)
              .log("an updated task cannot be read: it is read again when it starts");
          return null;
        });
  }

  private void replace(ReadTask changed) {
    lock.lock();
    try {
      if (!schedule.replace(changed)) {
        return;
      }
    } finally {
      lock.unlock();
    }
    startReady();
  }

  /** A task was deleted, before it started: it is no part of the execution any more. */
  void delete(String taskId) {
    lock.lock();
    try {
      schedule
          .task(taskId)
          .filter(task -> task.status() == TreeStatus.PENDING)
          .ifPresent(schedule::remove);
    } finally {
      lock.unlock();
    }
    startReady();
  }

  /** A task was cancelled: it does not start any more, or its run is stopped. */
  void cancel(String taskId) {
    cancelled.add(taskId);
    Optional<ScheduledTask> withdrawn;
    lock.lock();
    try {
      withdrawn = schedule.task(taskId).filter(schedule::withdraw);
    } finally {
      lock.unlock();
    }
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

  private void endExecution() {
    treeResults.close();
    TreeStatus status = schedule.status();
    Instant at = services.clock().instant();
    EndExecution command =
        new EndExecution(
            execution.treeId(), execution.executionId(), status, schedule.blocked(), at);
    CompletableFuture<Void> _ =
        services
            .retryingSender()
            .command(_ -> command, TreeOutcome.class)
            .handle((_, failure) -> {
              if (failure == null) {
                tell(new ExecutionFact.ExecutionEnded(status, command.blocked(), at));
              } else {
                LOG.atError()
                    .addKeyValue("tree_id", execution.treeId())
                    .setCause(failure)
                    .log("the end of a tree's execution could not be recorded");
              }
              end.complete(status);
              return null;
            });
  }
}
