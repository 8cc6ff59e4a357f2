package gatebook.api.flow;

import gatebook.api.upstream.FutureList;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TreeOutcome;
import gatebook.events.fault.TaskFault;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Answers requests to cancel tasks. */
final class CancelRequests {
  private final TreeStore treeStore;
  private final TreeRunner treeRunner;

  CancelRequests(TreeStore treeStore, TreeRunner treeRunner) {
    this.treeStore = treeStore;
    this.treeRunner = treeRunner;
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
    return below(task, cancel.cascade(), context)
        .thenCompose(ids ->
            FutureList.all(
                ids.stream()
                    .map(id ->
                        treeStore
                            .cancel(id, cancel.error(), context)
                            .whenComplete((_, failure) -> {
                              if (failure == null) {
                                treeRunner.cancel(task.task().treeId(), id);
                              }
                            }))
                    .toList()));
  }

  /** The task, and with {@code cascade} what is below it and has not ended. */
  private CompletableFuture<List<String>> below(
      ReadTask task, boolean cascade, FlowContext context) {
    return cascade
        ? treeStore
            .treeWithoutLinkResults(task.task().treeId(), context)
            .thenApply(tasks -> Descendants.open(task.id(), tasks))
        : CompletableFuture.completedFuture(List.of(task.id()));
  }
}
