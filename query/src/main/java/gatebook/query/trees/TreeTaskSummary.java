package gatebook.query.trees;

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
import gatebook.events.call.KeptContent;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TreeStatus;
import gatebook.query.call.CallView;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The summary of one task of a tree, computed from its events in order. */
final class TreeTaskSummary {
  private static final String ARCHIVED = "archived";

  private final TreeTaskCreated created;
  private TaskContent content;
  private TreeStatus status = TreeStatus.PENDING;
  private int attempt;
  private @Nullable String origin;
  private @Nullable KeptContent result;
  private @Nullable String error;
  private @Nullable Integer code;
  private @Nullable UUID callId;
  private @Nullable Instant startedAt;
  private @Nullable Instant endedAt;
  private @Nullable Instant deletedAt;

  TreeTaskSummary(TreeTaskCreated created) {
    this.created = created;
    this.content = created.content();
  }

  String taskId() {
    return created.taskId();
  }

  TreeStatus status() {
    return status;
  }

  TreeTaskView toView(List<CallView> calls) {
    return new TreeTaskView(
        created.taskId(),
        created.parentId(),
        content,
        status,
        attempt,
        origin,
        result,
        error,
        code,
        callId,
        created.createdAt(),
        startedAt,
        endedAt,
        deletedAt,
        calls);
  }

  void apply(TreeTaskEvent event) {
    status = TreeSummary.statusAfter(event, status);
    switch (event) {
      case TreeTaskCreated _ -> {
        // the summary begins with it
      }
      case TreeTaskUpdated updated -> content = updated.content();
      case TreeTaskDeleted deleted -> deletedAt = deleted.deletedAt();
      case TreeTaskStarted started -> start(started);
      case TreeTaskCompleted completed -> complete(completed);
      case TreeTaskFailed failed -> fail(failed);
      case TreeTaskCancelled cancelled -> cancel(cancelled);
      case TreeTaskRetried retried -> attempt = retried.attempt();
      case TreeTaskReopened _ -> reset();
      case TreeTaskLinked linked -> link(linked);
      case TreeTaskReferenced _ -> {
        // says something of other tasks
      }
      case TreeTaskArchived _ -> origin = origin == null ? ARCHIVED : origin + ", " + ARCHIVED;
    }
  }

  private void start(TreeTaskStarted started) {
    reset();
    attempt = started.attempt();
    startedAt = started.startedAt();
  }

  private void complete(TreeTaskCompleted completed) {
    result = completed.kept();
    endedAt = completed.completedAt();
    callId = completed.callId();
  }

  private void fail(TreeTaskFailed failed) {
    error = failed.error();
    code = failed.code();
    endedAt = failed.failedAt();
    callId = failed.callId();
  }

  private void cancel(TreeTaskCancelled cancelled) {
    error = cancelled.error();
    endedAt = cancelled.cancelledAt();
  }

  private void link(TreeTaskLinked linked) {
    origin = "link to " + linked.originalTaskId();
    endedAt = linked.linkedAt();
  }

  private void reset() {
    result = null;
    error = null;
    code = null;
    callId = null;
    startedAt = null;
    endedAt = null;
  }
}
