package gatebook.api.flow;

import static java.util.stream.Collectors.toSet;

import gatebook.api.flow.run.TreeStore;
import gatebook.api.flow.task.FlowContext;
import gatebook.api.flow.task.FlowProfile;
import gatebook.api.flow.task.FlowRequest.TaskPage;
import gatebook.api.flow.task.RefusedRequest;
import gatebook.api.flow.task.TaskRelations;
import gatebook.api.gateway.ViewReader;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TreeTask;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.tree.TreeStatus;
import gatebook.query.projection.ViewFailed;
import gatebook.query.trees.CountOpenTrees;
import gatebook.query.trees.CountTreeTasks;
import gatebook.query.trees.FindTaskChildren;
import gatebook.query.trees.ListTreeTasks;
import gatebook.query.trees.TreeQueries;
import gatebook.query.trees.TreeQueries.ListedTask;
import gatebook.query.trees.TreeQueries.OpenTreeCount;
import gatebook.query.trees.TreeQueries.TaskChildren;
import gatebook.query.trees.TreeQueries.TaskCounts;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Lists and counts the tasks of one caller: the view finds them, and the journal has each. */
final class TaskLists {
  private final ViewReader viewReader;
  private final TreeStore treeStore;

  TaskLists(ViewReader viewReader, TreeStore treeStore) {
    this.viewReader = viewReader;
    this.treeStore = treeStore;
  }

  /**
   * A part of the caller's tasks.
   *
   * @param total the number on all pages
   */
  record Listed(List<ReadTask> tasks, long total, TaskRelations relations) {}

  /** The caller's tasks, newest first. */
  CompletableFuture<Listed> list(
      Optional<TreeStatus> status, boolean rootOnly, TaskPage page, FlowContext context) {
    return found(status, rootOnly, page, context)
        .thenCompose(found -> {
          SequencedMap<String, UUID> treesById = new LinkedHashMap<>();
          found.tasks().forEach(task -> treesById.put(task.taskId(), task.treeId()));
          Set<String> parents =
              found.tasks().stream()
                  .filter(ListedTask::hasChildren)
                  .map(ListedTask::taskId)
                  .collect(toSet());
          return treeStore
              .read(treesById, context)
              .thenApply(tasks -> new Listed(tasks, found.total(), TaskRelations.of(parents)));
        });
  }

  /** The relations that are shown of a task: only existing clients see whether it has children. */
  CompletableFuture<TaskRelations> shownRelations(TreeTask task, FlowContext context) {
    return context.profile() == FlowProfile.CLIENT
        ? relations(task, context)
        : CompletableFuture.completedFuture(TaskRelations.NONE);
  }

  /** Whether a task has children: of a large tree, only the view can tell quickly. */
  private CompletableFuture<TaskRelations> relations(TreeTask task, FlowContext context) {
    return ifReadable(new FindTaskChildren(task.treeId(), task.id()), TaskChildren.class)
        .thenCompose(found ->
            found
                .filter(children -> children.reached().upToDate())
                .map(children ->
                    CompletableFuture.completedFuture(
                        TaskRelations.of(children.areThere() ? Set.of(task.id()) : Set.of())))
                .orElseGet(() ->
                    treeStore
                        .treeWithoutLinkResults(task.treeId(), context)
                        .thenApply(TaskRelations::within)));
  }

  /** How many tasks the caller has of each status; all statuses when none is given. */
  CompletableFuture<Map<TreeStatus, Long>> count(
      Set<TreeStatus> statuses, boolean rootOnly, FlowContext context) {
    return read(new CountTreeTasks(context.owner(), rootOnly), TaskCounts.class)
        .thenApply(counted -> {
          Map<TreeStatus, Long> counts = new EnumMap<>(TreeStatus.class);
          for (TreeStatus status : TreeStatus.values()) {
            if (statuses.isEmpty() || statuses.contains(status)) {
              counts.put(status, counted.byStatus().getOrDefault(status, 0L));
            }
          }
          return counts;
        });
  }

  /**
   * How many trees of an owner are open, as far as the view has come; empty without a view that can
   * be read.
   */
  CompletableFuture<OptionalLong> openTrees(String owner) {
    return ifReadable(new CountOpenTrees(owner), OpenTreeCount.class)
        .thenApply(found ->
            found.map(count -> OptionalLong.of(count.trees())).orElseGet(OptionalLong::empty));
  }

  private CompletableFuture<TreeQueries.TaskPage> found(
      Optional<TreeStatus> status, boolean rootOnly, TaskPage page, FlowContext context) {
    return read(
        new ListTreeTasks(context.owner(), status, rootOnly, page.limit(), page.offset()),
        TreeQueries.TaskPage.class);
  }

  /** The request ends without views. */
  private <R> CompletableFuture<R> read(Object query, Class<R> result) {
    return viewReader
        .send(query, result)
        .thenApply(found ->
            found.orElseThrow(
                () -> new RefusedRequest(new ServiceUnavailable(Cause.SHUTTING_DOWN, null))));
  }

  /** Empty without views that can be read. */
  private <R> CompletableFuture<Optional<R>> ifReadable(Object query, Class<R> result) {
    return viewReader
        .send(query, result)
        .exceptionallyCompose(failure ->
            failure.getCause() instanceof ViewFailed
                ? CompletableFuture.completedFuture(Optional.empty())
                : CompletableFuture.failedFuture(failure));
  }
}
