package gatebook.api.flow;

import gatebook.api.flow.read.FlowParams;
import gatebook.api.flow.read.FlowRequestReader;
import gatebook.api.flow.read.TaskMembers;
import gatebook.api.flow.read.TaskUpdate;
import gatebook.api.flow.run.TreeRunner;
import gatebook.api.flow.run.TreeStore;
import gatebook.api.flow.task.FlowContext;
import gatebook.api.flow.task.FlowRequest;
import gatebook.api.flow.task.RefusedRequest;
import gatebook.api.flow.task.TaskChanges;
import gatebook.api.flow.task.TaskSchemas;
import gatebook.command.tree.ChangeTree.Change;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskDraft;
import gatebook.command.tree.TaskOrigin;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.TaskFault.InvalidStateTransition;
import gatebook.events.tree.TreeStatus;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Answers requests to change tasks. An owner changes the content of a pending task; a new status is
 * a transition, of which an owner can make one: to cancel the task.
 */
final class UpdateRequests {
  private final TreeStore treeStore;
  private final TaskLists taskLists;
  private final TreeRunner treeRunner;
  private final CancelRequests cancelRequests;
  private final FlowRequestReader requestReader;
  private final TaskSchemas taskSchemas;

  UpdateRequests(
      TreeStore treeStore,
      TaskLists taskLists,
      TreeRunner treeRunner,
      CancelRequests cancelRequests,
      FlowRequestReader requestReader,
      TaskSchemas taskSchemas) {
    this.treeStore = treeStore;
    this.taskLists = taskLists;
    this.treeRunner = treeRunner;
    this.cancelRequests = cancelRequests;
    this.requestReader = requestReader;
    this.taskSchemas = taskSchemas;
  }

  CompletableFuture<String> update(
      FlowRequest.Update update, FlowResponses responses, FlowContext context) {
    return treeStore
        .get(update.taskId(), context)
        .thenCompose(stored -> changed(stored, update.changes(), context))
        .thenCompose(task ->
            taskLists
                .shownRelations(task.task(), context)
                .thenApply(relations -> responses.updated(task, relations)));
  }

  /** Changes a task, and returns it as it is then. */
  private CompletableFuture<ReadTask> changed(
      ReadTask stored, TaskChanges changes, FlowContext context) {
    requireOwnContent(stored);
    boolean isToCancel = isToCancel(stored, changes);
    requireNotComputed(stored, changes, isToCancel);
    if (!isToCancel) {
      return contentChanged(stored, changes, context);
    }
    CompletableFuture<ReadTask> before =
        changes.content().isEmpty()
            ? CompletableFuture.completedFuture(stored)
            : contentChanged(stored, changes, context);
    return before
        .thenCompose(_ ->
            cancelRequests.cancel(
                stored, changes.error().orElse(FlowParams.CANCELLED_BY_USER), context))
        .thenCompose(_ -> treeStore.get(stored.id(), context));
  }

  /** What a link or an archive is about never changes. */
  private static void requireOwnContent(ReadTask stored) {
    TaskOrigin origin = stored.task().origin();
    if (origin.isLink() || origin.archived()) {
      throw notPossible(
          stored,
          InvalidStateTransition.UPDATE,
          origin.archived() ? "An archive cannot be changed" : "A link cannot be changed");
    }
  }

  private static RefusedRequest notPossible(ReadTask stored, String attempted, String reason) {
    return new RefusedRequest(
        new InvalidStateTransition(stored.id(), stored.task().status().word(), attempted, reason));
  }

  /** The error of a task that is to be cancelled is the reason. */
  private static void requireNotComputed(ReadTask stored, TaskChanges changes, boolean isToCancel) {
    List<Problem> computed =
        changes.computed().stream()
            .filter(name -> !isToCancel || !name.equals("error"))
            .map(name -> new Problem(name, TaskMembers.COMPUTED, null, null, List.of()))
            .toList();
    if (stored.task().status() == TreeStatus.PENDING && !computed.isEmpty()) {
      throw new RefusedRequest(new TaskFault.InvalidTaskSchema(stored.id(), computed));
    }
  }

  /** Whether the task is to be cancelled; no other change of the status is its owner's. */
  private static boolean isToCancel(ReadTask stored, TaskChanges changes) {
    TreeStatus current = stored.task().status();
    TreeStatus wanted = changes.status().orElse(current);
    if (wanted == current) {
      return false;
    }
    if (current.isTerminal()) {
      throw notPossible(
          stored,
          wanted.word(),
          current == TreeStatus.FAILED && wanted == TreeStatus.PENDING
              ? "Only tasks.execute runs a failed task again"
              : "Cannot transition from terminal state");
    }
    if (wanted != TreeStatus.CANCELLED) {
      throw notPossible(
          stored,
          wanted.word(),
          wanted == TreeStatus.IN_PROGRESS
              ? "Only tasks.execute starts a task"
              : "Only its execution ends a task");
    }
    return true;
  }

  private CompletableFuture<ReadTask> contentChanged(
      ReadTask stored, TaskChanges changes, FlowContext context) {
    return taskSchemas
        .run(() -> draft(stored, changes, context))
        .thenCompose(draft ->
            treeRunner.change(
                stored.task().treeId(),
                () -> recorded(stored, draft, context),
                tree -> tree.update(stored.task().key())));
  }

  private CompletableFuture<ReadTask> recorded(
      ReadTask stored, TaskDraft draft, FlowContext context) {
    return treeStore
        .change(stored.task().treeId(), new Change.UpdateTask(draft), context)
        .thenCompose(_ -> treeStore.get(stored.id(), context));
  }

  private TaskDraft draft(ReadTask stored, TaskChanges changes, FlowContext context) {
    return switch (requestReader.updated(
        context.profile(), stored, changes, context.caller(), context.rules().limits())) {
      case TaskUpdate.Changed(var changed) -> changed;
      case TaskUpdate.NotChanged(Fault fault) -> throw new RefusedRequest(fault);
    };
  }
}
