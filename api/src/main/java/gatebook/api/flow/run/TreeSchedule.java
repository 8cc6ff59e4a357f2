package gatebook.api.flow.run;

import gatebook.command.tree.ReadTask;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The schedule of one execution of a tree: which tasks can run now, by their dependencies and
 * priorities. It is changed by one thread at a time.
 */
final class TreeSchedule {
  private final Map<String, ScheduledTask> scope;

  /** The status of each task that the execution is not about; none of them runs meanwhile. */
  private final Map<String, TreeStatus> others;

  private final PriorityQueue<ScheduledTask> ready =
      new PriorityQueue<>(
          Comparator.comparingInt(ScheduledTask::priority).thenComparingLong(it -> it.order));
  private int running;

  private TreeSchedule(Map<String, ScheduledTask> scope, Map<String, TreeStatus> others) {
    this.scope = scope;
    this.others = others;
    scope.values().forEach(this::depend);
    scope.values().stream().filter(ScheduledTask::isReady).forEach(ready::add);
    this.running = (int) count(status -> status == TreeStatus.IN_PROGRESS);
  }

  private void depend(ScheduledTask scheduled) {
    for (TaskDependency dependency : scheduled.dependencies()) {
      ScheduledTask other = scope.get(dependency.id());
      if (other == null) {
        scheduled.dependOn(
            dependency.id(), others.getOrDefault(dependency.id(), TreeStatus.PENDING));
      } else {
        scheduled.dependOn(other);
      }
    }
  }

  private long count(Predicate<TreeStatus> which) {
    return scope.values().stream().map(ScheduledTask::status).filter(which).count();
  }

  /** How many tasks have ended. */
  int ended() {
    return (int) count(TreeStatus::isTerminal);
  }

  /**
   * Schedules some tasks of a tree, and keeps no results of them.
   *
   * @param executing the ids of those that the execution is about
   */
  static TreeSchedule of(List<ReadTask> tasks, Set<String> executing) {
    Map<String, ScheduledTask> scope = new LinkedHashMap<>();
    Map<String, TreeStatus> others = new HashMap<>();
    for (ReadTask task : tasks) {
      if (executing.contains(task.id())) {
        scope.put(task.id(), new ScheduledTask(task.withoutResult(), scope.size()));
      } else {
        others.put(task.id(), task.task().status());
      }
    }
    return new TreeSchedule(scope, others);
  }

  /** Whether a task can run now. */
  boolean hasReady() {
    return !ready.isEmpty();
  }

  /** The next task that can run, which runs from now on. */
  ScheduledTask start() {
    ScheduledTask next = ready.remove();
    run(next);
    return next;
  }

  private void run(ScheduledTask task) {
    task.status(TreeStatus.IN_PROGRESS);
    running++;
  }

  /** A task that ran has this status now. */
  void end(ScheduledTask task, TreeStatus status) {
    running--;
    ended(task, status);
  }

  /** Lets a task that was cancelled run instead of start; false when it had started. */
  boolean withdraw(ScheduledTask task) {
    if (task.status() != TreeStatus.PENDING) {
      return false;
    }
    ready.remove(task);
    run(task);
    return true;
  }

  /**
   * Replaces a task that waits to start by what it was changed to; false when it has started, or
   * this is not about it.
   */
  boolean replace(ReadTask changed) {
    ScheduledTask scheduled = scope.get(changed.id());
    if (scheduled == null
        || scheduled.status() != TreeStatus.PENDING
        || changed.task().updatedAt().isBefore(scheduled.task().task().updatedAt())) {
      return false;
    }
    forget(scheduled);
    scheduled.replace(changed);
    depend(scheduled);
    if (scheduled.isReady()) {
      ready.add(scheduled);
    }
    return true;
  }

  private void forget(ScheduledTask scheduled) {
    ready.remove(scheduled);
    for (TaskDependency dependency : scheduled.dependencies()) {
      ScheduledTask other = scope.get(dependency.id());
      if (other != null) {
        other.dependents().remove(scheduled);
      }
    }
  }

  /** A task that was to start waits again, as what it was changed to. */
  void restart(ScheduledTask scheduled, ReadTask changed) {
    running--;
    scheduled.status(changed.task().status());
    var _ = replace(changed);
  }

  /** A task is deleted, and runs no more if it did. */
  void remove(ScheduledTask scheduled) {
    if (scheduled.status() == TreeStatus.IN_PROGRESS) {
      running--;
    }
    forget(scheduled);
    scope.remove(scheduled.id());
  }

  private void ended(ScheduledTask task, TreeStatus status) {
    task.status(status);
    if (status.isTerminal()) {
      for (ScheduledTask dependent : task.dependents()) {
        boolean waited = !dependent.isReady();
        dependent.onEnd(task);
        if (waited && dependent.isReady()) {
          ready.add(dependent);
        }
      }
    }
  }

  Optional<ScheduledTask> task(String id) {
    return Optional.ofNullable(scope.get(id));
  }

  Collection<ScheduledTask> tasks() {
    return scope.values();
  }

  int running() {
    return running;
  }

  /** Whether nothing runs and nothing can start. */
  boolean hasEnded() {
    return running == 0 && ready.isEmpty();
  }

  /** The tasks that cannot run, because one they require did not complete. */
  List<String> blocked() {
    return scope.values().stream()
        .filter(task -> task.status() == TreeStatus.PENDING)
        .map(ScheduledTask::id)
        .toList();
  }

  /** The status of the whole: failed when anything failed, else cancelled when anything was. */
  TreeStatus status() {
    Map<TreeStatus, Integer> counts = new HashMap<>();
    scope.values().forEach(task -> counts.merge(task.status(), 1, Integer::sum));
    if (counts.containsKey(TreeStatus.FAILED)) {
      return TreeStatus.FAILED;
    }
    return counts.containsKey(TreeStatus.CANCELLED) || counts.containsKey(TreeStatus.PENDING)
        ? TreeStatus.CANCELLED
        : TreeStatus.COMPLETED;
  }
}
