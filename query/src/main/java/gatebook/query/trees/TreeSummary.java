package gatebook.query.trees;

import gatebook.events.TreeEvent;
import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskArchived;
import gatebook.events.TreeTaskCancelled;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskEvent;
import gatebook.events.TreeTaskFailed;
import gatebook.events.TreeTaskLinked;
import gatebook.events.TreeTaskReferenced;
import gatebook.events.TreeTaskReopened;
import gatebook.events.TreeTaskRetried;
import gatebook.events.TreeTaskStarted;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.journal.Entry;
import gatebook.events.tree.TreeStatus;
import gatebook.query.projection.EpochNanos;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The summary of a tree, computed from its events in order. */
final class TreeSummary {
  private final UUID treeId;
  private final String owner;
  private final Instant createdAt;
  private final Map<TreeStatus, Integer> counts = new EnumMap<>(TreeStatus.class);
  private @Nullable String rootTaskId;
  private @Nullable String name;
  private TreeStatus status = TreeStatus.PENDING;
  private @Nullable Instant startedAt;
  private @Nullable Instant endedAt;
  private Instant lastEventAt;
  private @Nullable OpenExecution execution;

  /** A tree that begins with this event. */
  TreeSummary(TreeEvent first, Entry entry) {
    this.treeId = first.treeId();
    this.owner = first.owner();
    this.lastEventAt = at(entry);
    this.createdAt = first instanceof TreeTaskCreated created ? created.createdAt() : lastEventAt;
    for (TreeStatus each : TreeStatus.values()) {
      counts.put(each, 0);
    }
  }

  /** Continues a stored summary. */
  TreeSummary(TreeView soFar) {
    this.treeId = soFar.treeId();
    this.owner = soFar.owner();
    this.createdAt = soFar.createdAt();
    this.counts.putAll(soFar.counts());
    this.rootTaskId = soFar.rootTaskId();
    this.name = soFar.name();
    this.status = soFar.status();
    this.startedAt = soFar.startedAt();
    this.endedAt = soFar.endedAt();
    this.lastEventAt = soFar.lastEventAt();
    this.execution = soFar.execution();
  }

  private static Instant at(Entry entry) {
    return EpochNanos.toInstant(EpochNanos.of(entry.at()));
  }

  String owner() {
    return owner;
  }

  TreeView toView(List<TreeTaskView> tasks) {
    return new TreeView(
        treeId,
        owner,
        rootTaskId,
        name,
        status,
        counts,
        createdAt,
        startedAt,
        endedAt,
        lastEventAt,
        execution,
        tasks);
  }

  /** The status of a task after an event. */
  static TreeStatus statusAfter(TreeTaskEvent event, TreeStatus before) {
    return switch (event) {
      case TreeTaskCreated _, TreeTaskReopened _ -> TreeStatus.PENDING;
      case TreeTaskStarted _, TreeTaskRetried _ -> TreeStatus.IN_PROGRESS;
      case TreeTaskCompleted _, TreeTaskLinked _ -> TreeStatus.COMPLETED;
      case TreeTaskFailed _ -> TreeStatus.FAILED;
      case TreeTaskCancelled _ -> TreeStatus.CANCELLED;
      case TreeTaskUpdated _, TreeTaskDeleted _, TreeTaskReferenced _, TreeTaskArchived _ -> before;
    };
  }

  /**
   * Applies an event of a task.
   *
   * @param before the status of the task before the event; ignored when the event creates it
   */
  void apply(TreeTaskEvent event, TreeStatus before, Entry entry) {
    lastEventAt = at(entry);
    if (!(event instanceof TreeTaskCreated)) {
      counts.merge(before, -1, Integer::sum);
    }
    if (!(event instanceof TreeTaskDeleted)) {
      counts.merge(statusAfter(event, before), 1, Integer::sum);
    }
    applyToRoot(event);
  }

  private void applyToRoot(TreeTaskEvent event) {
    if (event instanceof TreeTaskCreated created && created.parentId() == null) {
      rootTaskId = created.taskId();
      name = created.content().name();
    } else if (event instanceof TreeTaskUpdated updated && updated.taskId().equals(rootTaskId)) {
      name = updated.content().name();
    } else if (event instanceof TreeTaskDeleted deleted && deleted.taskId().equals(rootTaskId)) {
      rootTaskId = null;
    }
  }

  /** An execution that is taken over keeps the time of its start, and gets another node. */
  void apply(TreeExecutionStarted event, Entry entry) {
    lastEventAt = at(entry);
    status = TreeStatus.IN_PROGRESS;
    endedAt = null;
    if (execution == null || !event.takenOver()) {
      startedAt = event.startedAt();
    }
    execution =
        new OpenExecution(
            event.executionId(), treeId, owner, event.taskId(), entry.node(), event.startedAt());
  }

  void apply(TreeExecutionEnded event, Entry entry) {
    lastEventAt = at(entry);
    status = event.status();
    endedAt = event.endedAt();
    execution = null;
  }
}
