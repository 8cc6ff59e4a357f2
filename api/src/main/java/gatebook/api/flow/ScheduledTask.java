package gatebook.api.flow;

import gatebook.command.tree.ReadTask;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A task of a tree that runs: its status, what it waits for, and what waits for it. */
final class ScheduledTask {
  final ReadTask task;
  final long order;

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
  }

  String id() {
    return task.id();
  }

  int priority() {
    return task.task().content().priority();
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

  void dependOn(ScheduledTask other) {
    other.dependents.add(this);
    if (!satisfies(other)) {
      waitsFor.add(other.id());
    }
  }

  /** Removes a dependency that is satisfied now. */
  void onEnd(ScheduledTask dependency) {
    if (satisfies(dependency)) {
      waitsFor.remove(dependency.id());
    }
  }

  /** A required dependency has to be completed; otherwise any end will do. */
  private boolean satisfies(ScheduledTask dependency) {
    return dependency.status == TreeStatus.COMPLETED
        || (dependency.status.isTerminal() && !requires(dependency.id()));
  }

  private boolean requires(String id) {
    return task.task().content().dependencies().stream()
        .filter(dependency -> dependency.id().equals(id))
        .anyMatch(TaskDependency::required);
  }

  boolean isReady() {
    return status == TreeStatus.PENDING && waitsFor.isEmpty();
  }
}
