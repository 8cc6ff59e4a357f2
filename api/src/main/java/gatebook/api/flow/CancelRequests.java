package gatebook.api.flow;

import gatebook.api.flow.run.TreeRunner;
import gatebook.api.flow.run.TreeStore;
import gatebook.api.flow.task.Descendants;
import gatebook.api.flow.task.FlowContext;
import gatebook.api.flow.task.FlowProfile;
import gatebook.api.flow.task.FlowRequest;
import gatebook.api.flow.task.RefusedRequest;
import gatebook.api.upstream.FutureList;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TreeOutcome;
import gatebook.events.fault.Fault;
import gatebook.events.fault.TaskFault;
import gatebook.events.tree.TreeStatus;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/**
 * Answers requests to cancel tasks. Another node that runs their tree learns of them from the
 * journal.
 */
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
            cancel.taskIds().stream().distinct().map(id -> answer(id, cancel, context)).toList())
        .thenApply(answers -> responses.cancelled(answers, cancel.force()));
  }

  /** Existing clients are told of each task; the protocol's request ends with a fault. */
  private CompletableFuture<CancelAnswer> answer(
      String id, FlowRequest.Cancel cancel, FlowContext context) {
    CompletableFuture<CancelAnswer> cancelled =
        treeStore.get(id, context).thenCompose(task -> cancelled(task, cancel, context));
    return context.profile() == FlowProfile.CLIENT
        ? cancelled.exceptionally(failure -> notCancelled(id, failure))
        : cancelled;
  }

  private static CancelAnswer notCancelled(String id, Throwable failure) {
    return switch (RefusedRequest.ended(failure)) {
      case Ended.Failure(TaskFault.TaskNotFound _) -> CancelAnswer.notFound(id);
      case Ended.Failure(TaskFault.InvalidStateTransition(_, var current, _, _)) ->
          CancelAnswer.ended(id, current);
      default -> throw new CompletionException(failure);
    };
  }

  private CompletableFuture<CancelAnswer> cancelled(
      ReadTask task, FlowRequest.Cancel cancel, FlowContext context) {
    return cancel.cascade()
        ? treeStore
            .treeWithoutLinkResults(task.task().treeId(), context)
            .thenCompose(tasks ->
                tasks.stream()
                    .filter(it -> it.id().equals(task.id()))
                    .findFirst()
                    .map(it -> cancelWithDescendants(it, tasks, cancel, context))
                    .orElseGet(() -> cancelAlone(task, cancel, context)))
        : cancelAlone(task, cancel, context);
  }

  private CompletableFuture<CancelAnswer> cancelAlone(
      ReadTask task, FlowRequest.Cancel cancel, FlowContext context) {
    return cancel(task, cancel.error(), context).thenApply(_ -> CancelAnswer.cancelled(task.id()));
  }

  /** Cancels the descendants of a task that has ended; refuses when none is open. */
  private CompletableFuture<CancelAnswer> cancelWithDescendants(
      ReadTask task, List<ReadTask> tasks, FlowRequest.Cancel cancel, FlowContext context) {
    return cancelOpen(task, tasks, cancel, context)
        .thenCompose(count ->
            count == 0
                ? cancelAlone(task, cancel, context)
                : CompletableFuture.completedFuture(
                    task.task().status().isTerminal()
                        ? CancelAnswer.below(task, count)
                        : CancelAnswer.cancelled(task.id())));
  }

  /** Cancels one task. */
  CompletableFuture<TreeOutcome> cancel(ReadTask task, String error, FlowContext context) {
    return cancelOne(task.id(), task.task().treeId(), error, context);
  }

  /**
   * Cancels a task and what is below it, without what has ended: first the tasks that have yet to
   * start, so that none of them starts, and the execution does not end, before all are cancelled.
   * Completed with how many were cancelled.
   */
  private CompletableFuture<Integer> cancelOpen(
      ReadTask task, List<ReadTask> tasks, FlowRequest.Cancel cancel, FlowContext context) {
    Set<String> pending =
        tasks.stream()
            .filter(it -> it.task().status() == TreeStatus.PENDING)
            .map(ReadTask::id)
            .collect(Collectors.toSet());
    Map<Boolean, List<String>> open =
        Descendants.open(task.id(), tasks).stream()
            .collect(Collectors.partitioningBy(pending::contains));
    CompletableFuture<Integer> first =
        cancelAll(open.getOrDefault(true, List.of()), task, cancel, context);
    return first
        .handle((_, _) -> open.getOrDefault(false, List.of()))
        .thenCompose(others -> cancelAll(others, task, cancel, context))
        .thenCombine(first, Integer::sum);
  }

  private CompletableFuture<Integer> cancelAll(
      List<String> ids, ReadTask named, FlowRequest.Cancel cancel, FlowContext context) {
    return FutureList.all(ids.stream().map(id -> isCancelled(id, named, cancel, context)).toList())
        .thenApply(cancelled -> (int) cancelled.stream().filter(it -> it).count());
  }

  /** What is below the named task may have ended meanwhile. */
  private CompletableFuture<Boolean> isCancelled(
      String id, ReadTask named, FlowRequest.Cancel cancel, FlowContext context) {
    CompletableFuture<Boolean> cancelled =
        cancelOne(id, named.task().treeId(), cancel.error(), context).thenApply(_ -> true);
    return id.equals(named.id())
        ? cancelled
        : cancelled.exceptionally(failure -> {
          if (isEnded(failure)) {
            return false;
          }
          throw new CompletionException(failure);
        });
  }

  private CompletableFuture<TreeOutcome> cancelOne(
      String id, UUID treeId, String error, FlowContext context) {
    return treeRunner.change(
        treeId,
        () -> treeStore.cancel(id, error, context),
        tree -> {
          tree.cancel(id);
          return CompletableFuture.completedFuture(null);
        });
  }

  private static boolean isEnded(Throwable failure) {
    return RefusedRequest.ended(failure) instanceof Ended.Failure(Fault fault)
        && (fault instanceof TaskFault.InvalidStateTransition
            || fault instanceof TaskFault.TaskNotFound);
  }
}
