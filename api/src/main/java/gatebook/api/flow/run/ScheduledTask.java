package gatebook.api.flow.run;

import gatebook.command.tree.ReadTask;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A task of a tree that runs: its status, what it waits for, and what waits for it. */
final class ScheduledTask {
  final long order;
  private ReadTask task;

  /** The ids of the dependencies that have to be completed. */
  private final Set<String> required = new HashSet<>();

  /** The ids of the dependencies that are not satisfied yet. */
  private final Set<String> waitsFor = new HashSet<>();

  private final List<ScheduledTask> dependents = new ArrayList<>();
  private TreeStatus status;

  /**
   * @param order the place among tasks of the same priority
   */
  ScheduledTask(ReadTask task, long order) {
    this.task = task;
    this.order = order;
    this.status = task.task().status();
    addRequired();
  }

  private void addRequired() {
    dependencies().stream()
        .filter(TaskDependency::required)
        .map(TaskDependency::id)
        .forEach(required::add);
  }

  ReadTask task() {
    return task;
  }

  String id() {
    return task.id();
  }

  int priority() {
    return task.task().content().priority();
  }

  List<TaskDependency> dependencies() {
    return task.task().content().dependencies();
  }

  TreeStatus status() {
    return status;
  }

  List<ScheduledTask> dependents() {
    return dependents;
  }

  void status(TreeStatus newStatus) {
    status = newStatus;
  }

  /** Replaces what the task is about; it waits for nothing until it is told what it depends on. */
  void replace(ReadTask changed) {
    task = changed;
    required.clear();
    waitsFor.clear();
    addRequired();
  }

  /** Depends on a task of the same execution. */
  void dependOn(ScheduledTask other) {
    other.dependents.add(this);
    dependOn(other.id(), other.status);
  }

  /** Depends on a task that has this status. */
  void dependOn(String id, TreeStatus statusOfOther) {
    if (!isSatisfied(id, statusOfOther)) {
      waitsFor.add(id);
    }
  }

  /** Removes a dependency that is satisfied now. */
  void onEnd(ScheduledTask dependency) {
    if (isSatisfied(dependency.id(), dependency.status)) {
      waitsFor.remove(dependency.id());
    }
  }

  /** A required dependency has to be completed; otherwise any end will do. */
  private boolean isSatisfied(String id, TreeStatus statusOfOther) {
    return statusOfOther == TreeStatus.COMPLETED
        || (statusOfOther.isTerminal() && !required.contains(id));
  }

  boolean isReady() {
    return status == TreeStatus.PENDING && waitsFor.isEmpty();
  }
}
