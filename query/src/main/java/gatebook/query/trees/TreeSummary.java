package gatebook.query.trees;

import gatebook.events.TreeEvent;
import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionEvent;
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
import gatebook.events.TreeWebhookDelivered;
import gatebook.events.TreeWebhookFailed;
import gatebook.events.TreeWebhookTakenOver;
import gatebook.events.journal.storage.Entry;
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
  private @Nullable WebhookView webhook;
  private TreeContentPlaces contentPlaces = TreeContentPlaces.NONE;

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
    this.webhook = soFar.webhook();
    this.contentPlaces = soFar.contentPlaces();
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
        webhook,
        contentPlaces,
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
    applyToRoot(event, entry);
  }

  private void applyToRoot(TreeTaskEvent event, Entry entry) {
    if (event instanceof TreeTaskCreated created && created.parentId() == null) {
      rootTaskId = created.taskId();
      name = created.content().name();
      contentPlaces = contentPlaces.withName(entry.position());
    } else if (event instanceof TreeTaskUpdated updated && updated.taskId().equals(rootTaskId)) {
      name = updated.content().name();
      contentPlaces = contentPlaces.withName(entry.position());
    } else if (event instanceof TreeTaskDeleted deleted && deleted.taskId().equals(rootTaskId)) {
      rootTaskId = null;
    }
  }

  /** Applies an event of an execution, or of its webhook. */
  void apply(TreeExecutionEvent event, Entry entry) {
    lastEventAt = at(entry);
    switch (event) {
      case TreeExecutionStarted started -> start(started, entry);
      case TreeExecutionEnded ended -> end(ended);
      case TreeWebhookDelivered delivered -> deliver(delivered);
      case TreeWebhookFailed failed -> fail(failed, entry);
      case TreeWebhookTakenOver _ -> {
        // who delivers it is of no interest to operators
      }
    }
  }

  /** An execution that is taken over keeps the time of its start, and gets another node. */
  private void start(TreeExecutionStarted event, Entry entry) {
    status = TreeStatus.IN_PROGRESS;
    endedAt = null;
    if (execution == null || !event.takenOver()) {
      startedAt = event.startedAt();
      webhook =
          event.webhook() == null
              ? null
              : WebhookView.waiting(event.executionId(), event.webhook().url());
      contentPlaces = contentPlaces.withWebhook(webhook == null ? 0 : entry.position());
    }
    execution =
        new OpenExecution(
            event.executionId(), treeId, owner, event.taskId(), entry.node(), event.startedAt());
  }

  private void end(TreeExecutionEnded event) {
    status = event.status();
    endedAt = event.endedAt();
    execution = null;
  }

  /** The webhook of an earlier execution may be delivered when the next one runs. */
  private void deliver(TreeWebhookDelivered event) {
    if (webhook != null && webhook.executionId().equals(event.executionId())) {
      webhook =
          new WebhookView(
              event.executionId(),
              webhook.url(),
              WebhookView.State.DELIVERED,
              event.last(),
              event.attempt(),
              event.status(),
              null,
              event.deliveredAt());
      contentPlaces = contentPlaces.withFailure(0);
    }
  }

  private void fail(TreeWebhookFailed event, Entry entry) {
    if (webhook != null && webhook.executionId().equals(event.executionId())) {
      webhook =
          new WebhookView(
              event.executionId(),
              webhook.url(),
              event.givenUp() ? WebhookView.State.GIVEN_UP : WebhookView.State.FAILED,
              event.last(),
              event.attempt(),
              event.status(),
              event.reason(),
              event.failedAt());
      contentPlaces = contentPlaces.withFailure(entry.position());
    }
  }
}
