package gatebook.api.flow;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toSet;

import gatebook.api.flow.executor.LinkResults;
import gatebook.api.flow.run.TreeStore;
import gatebook.api.flow.task.FlowContext;
import gatebook.api.flow.task.FlowProfile;
import gatebook.api.flow.task.FlowRequest.TaskPage;
import gatebook.api.flow.task.RefusedRequest;
import gatebook.api.flow.task.TaskRelations;
import gatebook.api.upstream.FutureList;
import gatebook.command.axon.CommandConfiguration;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TreeTask;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.tree.TreeStatus;
import gatebook.query.ViewQueries;
import gatebook.query.projection.ViewFailed;
import gatebook.query.trees.CountOpenTrees;
import gatebook.query.trees.CountTreeTasks;
import gatebook.query.trees.FindTaskChildren;
import gatebook.query.trees.ListTreeTasks;
import gatebook.query.trees.TreeQueries;
import gatebook.query.trees.TreeQueries.ListedTask;
import gatebook.query.trees.TreeQueries.OpenTreeCount;
import gatebook.query.trees.TreeQueries.TaskChildren;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Lists and counts the tasks of one caller: the view finds them, and the journal has each. */
final class TaskLists {
  private final Supplier<Optional<ViewQueries>> viewQueries;
  private final TreeStore treeStore;

  /**
   * @param viewQueries empty in a process that has no views
   */
  TaskLists(Supplier<Optional<ViewQueries>> viewQueries, TreeStore treeStore) {
    this.viewQueries = viewQueries;
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
          Map<UUID, List<String>> byTree =
              found.tasks().stream()
                  .collect(groupingBy(ListedTask::treeId, mapping(ListedTask::taskId, toList())));
          return FutureList.all(
                  byTree.entrySet().stream()
                      .map(tree -> read(tree.getKey(), tree.getValue(), context))
                      .toList())
              .thenApply(read -> listed(found, read));
        });
  }

  /** A few tasks of a tree are read one by one: the tree may be large. */
  private CompletableFuture<List<ReadTask>> read(
      UUID treeId, List<String> ids, FlowContext context) {
    return ids.size() > LinkResults.SINGLE_READS_MAX
        ? treeStore.tree(treeId, context)
        : FutureList.all(ids.stream().map(id -> treeStore.find(id, context)).toList())
            .thenApply(found -> found.stream().flatMap(Optional::stream).toList());
  }

  private static Listed listed(TreeQueries.TaskPage found, List<List<ReadTask>> read) {
    Map<String, ReadTask> byId = new HashMap<>();
    read.forEach(tasks -> tasks.forEach(task -> byId.put(task.id(), task)));
    List<ReadTask> tasks =
        found.tasks().stream()
            .flatMap(listed -> Optional.ofNullable(byId.get(listed.taskId())).stream())
            .toList();
    Set<String> parents =
        found.tasks().stream()
            .filter(ListedTask::hasChildren)
            .map(ListedTask::taskId)
            .collect(toSet());
    return new Listed(tasks, found.total(), TaskRelations.of(parents));
  }

  /** The relations that are shown of a task: only existing clients see whether it has children. */
  CompletableFuture<TaskRelations> shownRelations(TreeTask task, FlowContext context) {
    return context.profile() == FlowProfile.CLIENT
        ? relations(task, context)
        : CompletableFuture.completedFuture(TaskRelations.NONE);
  }

  /** Whether a task has children: of a large tree, only the view can tell quickly. */
  private CompletableFuture<TaskRelations> relations(TreeTask task, FlowContext context) {
    return viewQueries
        .get()
        .map(views ->
            CompletableFuture.supplyAsync(
                () -> children(views, task), CommandConfiguration.OFF_THE_SENDERS_THREAD))
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()))
        .thenCompose(found ->
            found
                .map(areThere ->
                    CompletableFuture.completedFuture(
                        TaskRelations.of(areThere ? Set.of(task.id()) : Set.of())))
                .orElseGet(() ->
                    treeStore
                        .treeWithoutLinkResults(task.treeId(), context)
                        .thenApply(TaskRelations::within)));
  }

  /** Empty when the view cannot be read, or is too far behind. */
  private static Optional<Boolean> children(ViewQueries views, TreeTask task) {
    try {
      TaskChildren found =
          send(views, new FindTaskChildren(task.treeId(), task.id()), TaskChildren.class);
      return found.reached().upToDate() ? Optional.of(found.areThere()) : Optional.empty();
    } catch (ViewFailed _) {
      return Optional.empty();
    }
  }

  /** How many tasks the caller has of each status; all statuses when none is given. */
  CompletableFuture<Map<TreeStatus, Long>> count(
      Set<TreeStatus> statuses, boolean rootOnly, FlowContext context) {
    CountTreeTasks query = new CountTreeTasks(context.owner(), rootOnly);
    return CompletableFuture.supplyAsync(
            () -> send(views(), query, TreeQueries.TaskCounts.class).byStatus(),
            CommandConfiguration.OFF_THE_SENDERS_THREAD)
        .thenApply(counted -> {
          Map<TreeStatus, Long> counts = new EnumMap<>(TreeStatus.class);
          for (TreeStatus status : TreeStatus.values()) {
            if (statuses.isEmpty() || statuses.contains(status)) {
              counts.put(status, counted.getOrDefault(status, 0L));
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
    return viewQueries
        .get()
        .map(views ->
            CompletableFuture.supplyAsync(
                () -> openTrees(views, owner), CommandConfiguration.OFF_THE_SENDERS_THREAD))
        .orElseGet(() -> CompletableFuture.completedFuture(OptionalLong.empty()));
  }

  private static OptionalLong openTrees(ViewQueries views, String owner) {
    try {
      return OptionalLong.of(send(views, new CountOpenTrees(owner), OpenTreeCount.class).trees());
    } catch (ViewFailed _) {
      return OptionalLong.empty();
    }
  }

  private CompletableFuture<TreeQueries.TaskPage> found(
      Optional<TreeStatus> status, boolean rootOnly, TaskPage page, FlowContext context) {
    ListTreeTasks query =
        new ListTreeTasks(context.owner(), status, rootOnly, page.limit(), page.offset());
    return CompletableFuture.supplyAsync(
        () -> send(query), CommandConfiguration.OFF_THE_SENDERS_THREAD);
  }

  private TreeQueries.TaskPage send(ListTreeTasks query) {
    return send(views(), query, TreeQueries.TaskPage.class);
  }

  private ViewQueries views() {
    return viewQueries
        .get()
        .orElseThrow(() -> new RefusedRequest(new ServiceUnavailable(Cause.SHUTTING_DOWN, null)));
  }

  private static <R> R send(ViewQueries views, Object query, Class<R> result) {
    try {
      return views.send(query, result);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new RefusedRequest(new ServiceUnavailable(Cause.SHUTTING_DOWN, null));
    }
  }
}
