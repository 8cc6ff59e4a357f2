package gatebook.api.flow;

import gatebook.command.tree.ReadTask;
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

  /** The results of tasks that were completed before, by id. */
  private final Map<String, String> results = new HashMap<>();

  private final PriorityQueue<ScheduledTask> ready =
      new PriorityQueue<>(
          Comparator.comparingInt(ScheduledTask::priority).thenComparingLong(it -> it.order));
  private int running;

  private TreeSchedule(Map<String, ScheduledTask> scope) {
    this.scope = scope;
    scope.values().stream().filter(ScheduledTask::isReady).forEach(ready::add);
    this.running = (int) count(status -> status == TreeStatus.IN_PROGRESS);
  }

  private long count(Predicate<TreeStatus> which) {
    return scope.values().stream().map(ScheduledTask::status).filter(which).count();
  }

  /** How many tasks have ended. */
  int ended() {
    return (int) count(TreeStatus::isTerminal);
  }

  /**
   * Schedules some tasks of a tree.
   *
   * @param executing the ids of those that the execution is about
   */
  static TreeSchedule of(List<ReadTask> tasks, Set<String> executing) {
    Map<String, ScheduledTask> all = new LinkedHashMap<>();
    tasks.forEach(task -> {
      ScheduledTask scheduled = new ScheduledTask(task, all.size());
      all.put(scheduled.id(), scheduled);
    });
    Map<String, ScheduledTask> scope = new LinkedHashMap<>(all);
    scope.keySet().retainAll(executing);
    scope
        .values()
        .forEach(task ->
            task.task.task().content().dependencies().stream()
                .flatMap(dependency -> Optional.ofNullable(all.get(dependency.id())).stream())
                .forEach(task::dependOn));
    TreeSchedule schedule = new TreeSchedule(scope);
    tasks.forEach(schedule::addResult);
    return schedule;
  }

  private void addResult(ReadTask task) {
    String result = task.result();
    if (result != null) {
      results.put(task.id(), result);
    }
  }

  /** The results of completed tasks of the whole tree: what is executed may depend on any. */
  Map<String, String> results() {
    return results;
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
