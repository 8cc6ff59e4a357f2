package gatebook.command.tree;

import gatebook.command.tree.TaskOrigin.Original;
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
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of one task of a tree, as its events tell it.
 *
 * @param attempt how often it began to run
 * @param firstAttempt of those since it was pending last; the others are retries of it
 * @param error absent unless it failed or was cancelled
 * @param code the error code of the call to its tool; absent when there was none
 * @param callId the call to its tool of the attempt that runs, or ran last; absent when there is
 *     none
 * @param result absent unless it is completed, and for a link
 * @param startedAt absent while it is pending
 * @param endedAt absent unless it ended
 */
public record TreeTask(
    UUID treeId,
    TaskKey key,
    @Nullable String parentId,
    TaskContent content,
    TreeStatus status,
    int attempt,
    int firstAttempt,
    @Nullable String error,
    @Nullable Integer code,
    @Nullable UUID callId,
    @Nullable String result,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    TaskOrigin origin) {

  /** The task's own id. */
  public String id() {
    return key.taskId();
  }

  /** The task after an event; absent before it is created and after it is deleted. */
  static @Nullable TreeTask evolve(@Nullable TreeTask task, TreeTaskEvent event) {
    return event instanceof TreeTaskCreated created
        ? created(created)
        : task == null ? null : task.evolve(event);
  }

  private static TreeTask created(TreeTaskCreated event) {
    return created(
        event.treeId(),
        new TaskKey(event.owner(), event.taskId()),
        event.parentId(),
        event.content(),
        event.createdAt());
  }

  /** A task as it is when it was created. */
  public static TreeTask created(
      UUID treeId, TaskKey key, @Nullable String parentId, TaskContent content, Instant at) {
    return new TreeTask(
        treeId,
        key,
        parentId,
        content,
        TreeStatus.PENDING,
        0,
        0,
        null,
        null,
        null,
        null,
        at,
        at,
        null,
        null,
        TaskOrigin.OWN);
  }

  /** The original of a link to this task: the task itself unless it is a link. */
  public Original linkTarget() {
    Original original = origin.original();
    return original == null ? new Original(treeId, id()) : original;
  }

  /** The task as a link. */
  public TreeTask linkedTo(Original original, Instant at) {
    return ended(TreeStatus.COMPLETED, null, null, null, at).with(origin.linkTo(original));
  }

  /** The task as an archive. */
  public TreeTask archived(Instant at) {
    return with(content, at).with(origin.archive());
  }

  private @Nullable TreeTask evolve(TreeTaskEvent event) {
    return switch (event) {
      case TreeTaskCreated _ -> this;
      case TreeTaskDeleted _ -> null;
      case TreeTaskUpdated updated -> with(updated.content(), updated.updatedAt());
      case TreeTaskStarted started ->
          state(
              TreeStatus.IN_PROGRESS,
              started.attempt(),
              null,
              null,
              started.callId(),
              null,
              started.startedAt(),
              started.startedAt(),
              null);
      case TreeTaskRetried retried ->
          state(
              TreeStatus.IN_PROGRESS,
              retried.attempt(),
              null,
              null,
              retried.callId(),
              null,
              retried.retriedAt(),
              startedAt,
              null);
      case TreeTaskCompleted completed ->
          ended(TreeStatus.COMPLETED, null, null, completed.result(), completed.completedAt());
      case TreeTaskFailed failed ->
          ended(TreeStatus.FAILED, failed.error(), failed.code(), null, failed.failedAt());
      case TreeTaskCancelled cancelled ->
          ended(TreeStatus.CANCELLED, cancelled.error(), null, null, cancelled.cancelledAt());
      case TreeTaskReopened reopened ->
          state(
              TreeStatus.PENDING,
              attempt,
              null,
              null,
              null,
              null,
              reopened.reopenedAt(),
              null,
              null);
      case TreeTaskLinked linked ->
          linkedTo(
              new Original(linked.originalTreeId(), linked.originalTaskId()), linked.linkedAt());
      case TreeTaskReferenced referenced -> with(origin.reference(referenced.linked()));
      case TreeTaskArchived archived -> archived(archived.archivedAt());
    };
  }

  private TreeTask with(TaskContent newContent, Instant at) {
    return copy(newContent, result, at, origin);
  }

  TreeTask withoutResult() {
    return copy(content, null, updatedAt, origin);
  }

  private TreeTask with(TaskOrigin newOrigin) {
    return copy(content, result, updatedAt, newOrigin);
  }

  private TreeTask copy(
      TaskContent newContent, @Nullable String newResult, Instant at, TaskOrigin newOrigin) {
    return new TreeTask(
        treeId,
        key,
        parentId,
        newContent,
        status,
        attempt,
        firstAttempt,
        error,
        code,
        callId,
        newResult,
        createdAt,
        at,
        startedAt,
        endedAt,
        newOrigin);
  }

  private TreeTask ended(
      TreeStatus end,
      @Nullable String why,
      @Nullable Integer errorCode,
      @Nullable String content,
      Instant at) {
    return state(end, attempt, why, errorCode, callId, content, at, startedAt, at);
  }

  private TreeTask state(
      TreeStatus newStatus,
      int newAttempt,
      @Nullable String why,
      @Nullable Integer errorCode,
      @Nullable UUID newCallId,
      @Nullable String newResult,
      Instant at,
      @Nullable Instant started,
      @Nullable Instant ended) {
    return new TreeTask(
        treeId,
        key,
        parentId,
        content,
        newStatus,
        newAttempt,
        status == TreeStatus.PENDING ? newAttempt : firstAttempt,
        why,
        errorCode,
        newCallId,
        newResult,
        createdAt,
        at,
        started,
        ended,
        origin);
  }
}
