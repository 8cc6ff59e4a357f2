package gatebook.api.flow;

import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskDraft;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.TaskOrigin;
import gatebook.command.tree.TaskOrigin.Original;
import gatebook.command.tree.TreeTask;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stored tasks as their owner reads them. */
public final class FlowTasks {
  public static final UUID TREE = UUID.fromString("00000000-0000-4000-8000-000000000001");
  static final UUID SOURCES = UUID.fromString("00000000-0000-4000-8000-000000000002");
  public static final String OWNER = "alice";
  static final Instant CREATED = Instant.parse("2026-01-02T03:04:05Z");
  static final Instant STARTED = CREATED.plusSeconds(1);
  static final Instant ENDED = CREATED.plusSeconds(2);

  private static final String DEFINITION = "{}";

  private FlowTasks() {}

  /** A task without an executor and dependencies. */
  public static TaskDraft draft(String id) {
    return new TaskDraft(id, null, id, null, 2, List.of(), "{}", null);
  }

  public static ReadTask pending(TaskDraft draft) {
    return task(draft, TreeStatus.PENDING, null, null);
  }

  public static ReadTask completed(TaskDraft draft, String result) {
    return task(draft, TreeStatus.COMPLETED, null, result);
  }

  static ReadTask failed(TaskDraft draft, String error) {
    return task(draft, TreeStatus.FAILED, error, null);
  }

  public static ReadTask cancelled(TaskDraft draft, String error) {
    return task(draft, TreeStatus.CANCELLED, error, null);
  }

  public static ReadTask running(TaskDraft draft) {
    return task(draft, TreeStatus.IN_PROGRESS, null, null);
  }

  /** A task whose tool is called. */
  public static ReadTask running(TaskDraft draft, UUID callId) {
    return with(running(draft), callId, TaskOrigin.OWN);
  }

  /** A task from which others were made. */
  static ReadTask referenced(ReadTask task) {
    return with(task, task.task().callId(), new TaskOrigin(null, false, true, true));
  }

  /** A link, with the result that its original has. */
  static ReadTask link(TaskDraft draft, String originalId, @Nullable String result) {
    TreeTask link = pending(draft).task().linkedTo(new Original(SOURCES, originalId), ENDED);
    return new ReadTask(link, draft.definition(), result);
  }

  static ReadTask archived(ReadTask task) {
    return new ReadTask(task.task().archived(ENDED), task.definition(), task.result());
  }

  private static ReadTask with(ReadTask read, @Nullable UUID callId, TaskOrigin origin) {
    TreeTask task = read.task();
    return new ReadTask(
        new TreeTask(
            task.treeId(),
            task.key(),
            task.parentId(),
            task.content(),
            task.status(),
            task.attempt(),
            task.firstAttempt(),
            task.error(),
            task.code(),
            callId,
            task.result(),
            task.createdAt(),
            task.updatedAt(),
            task.startedAt(),
            task.endedAt(),
            origin),
        read.definition(),
        read.result());
  }

  private static ReadTask task(
      TaskDraft draft, TreeStatus status, @Nullable String error, @Nullable String result) {
    boolean isPending = status == TreeStatus.PENDING;
    Instant ended = status.isTerminal() ? ENDED : null;
    TreeTask task =
        new TreeTask(
            TREE,
            new TaskKey(OWNER, draft.id()),
            draft.parentId(),
            new TaskContent(
                draft.name(),
                draft.executor(),
                draft.priority(),
                draft.dependencies(),
                null,
                DEFINITION),
            status,
            isPending ? 0 : 1,
            isPending ? 0 : 1,
            error,
            null,
            null,
            null,
            CREATED,
            ended != null ? ended : isPending ? CREATED : STARTED,
            isPending ? null : STARTED,
            ended,
            TaskOrigin.OWN);
    return new ReadTask(task, draft.definition(), result);
  }
}
