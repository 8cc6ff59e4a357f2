package gatebook.api.flow;

import gatebook.api.upstream.FutureList;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TreeOutcome;
import gatebook.events.fault.TaskFault;
import gatebook.events.tree.TreeStatus;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * Answers requests to cancel tasks. The node that runs a tree learns of its cancelled tasks from
 * the journal.
 */
final class CancelRequests {
  private final TreeStore treeStore;

  CancelRequests(TreeStore treeStore) {
    this.treeStore = treeStore;
  }

  CompletableFuture<String> cancel(
      FlowRequest.Cancel cancel, FlowResponses responses, FlowContext context) {
    return FutureList.all(
            cancel.taskIds().stream().map(id -> cancelOne(id, cancel, context)).toList())
        .thenApply(answers -> responses.cancelled(answers, cancel.force()));
  }

  /** Existing clients are told of each task; the protocol's request ends with a fault. */
  private CompletableFuture<CancelAnswer> cancelOne(
      String id, FlowRequest.Cancel cancel, FlowContext context) {
    return treeStore
        .find(id, context)
        .thenCompose(found -> {
          if (found.isEmpty() && context.profile() == FlowProfile.CLIENT) {
            return CompletableFuture.completedFuture(CancelAnswer.notFound(id));
          }
          ReadTask task =
              found.orElseThrow(() -> new RefusedRequest(new TaskFault.TaskNotFound(id)));
          return task.task().status().isTerminal() && context.profile() == FlowProfile.CLIENT
              ? CompletableFuture.completedFuture(CancelAnswer.ended(id, task.task().status()))
              : cancelled(task, cancel, context).thenApply(_ -> CancelAnswer.cancelled(id));
        });
  }

  private CompletableFuture<List<TreeOutcome>> cancelled(
      ReadTask task, FlowRequest.Cancel cancel, FlowContext context) {
    return cancel.cascade()
        ? treeStore
            .treeWithoutLinkResults(task.task().treeId(), context)
            .thenCompose(tasks -> cancelWithDescendants(task, tasks, cancel, context))
        : cancelAll(List.of(task.id()), cancel, context);
  }

  /**
   * Cancels a task and what is below it and has not ended: first the tasks that have yet to start,
   * so that none of them starts, and the execution does not end, before all are cancelled.
   */
  private CompletableFuture<List<TreeOutcome>> cancelWithDescendants(
      ReadTask task, List<ReadTask> tasks, FlowRequest.Cancel cancel, FlowContext context) {
    Set<String> pending =
        tasks.stream()
            .filter(it -> it.task().status() == TreeStatus.PENDING)
            .map(ReadTask::id)
            .collect(Collectors.toSet());
    Map<Boolean, List<String>> open =
        Descendants.open(task.id(), tasks).stream()
            .collect(Collectors.partitioningBy(pending::contains));
    CompletableFuture<List<TreeOutcome>> first =
        cancelAll(open.getOrDefault(true, List.of()), cancel, context);
    return first
        .handle((_, _) -> open.getOrDefault(false, List.of()))
        .thenCompose(others -> cancelAll(others, cancel, context))
        .thenCompose(_ -> first);
  }

  private CompletableFuture<List<TreeOutcome>> cancelAll(
      List<String> ids, FlowRequest.Cancel cancel, FlowContext context) {
    return FutureList.all(
        ids.stream().map(id -> treeStore.cancel(id, cancel.error(), context)).toList());
  }
}
