package gatebook.api.flow;

import gatebook.api.flow.read.FlowRequestReader;
import gatebook.api.flow.read.RequestFindings;
import gatebook.api.flow.run.TreeStore;
import gatebook.api.flow.task.Descendants;
import gatebook.api.flow.task.FlowContext;
import gatebook.api.flow.task.FlowRequest;
import gatebook.api.flow.task.FlowRequest.CopyOrigin;
import gatebook.api.flow.task.RefusedRequest;
import gatebook.api.flow.task.TaskRelations;
import gatebook.api.flow.task.TaskSchemas;
import gatebook.command.tree.CopySources;
import gatebook.command.tree.ExecutorNames;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskCopy;
import gatebook.command.tree.TaskDraft;
import gatebook.command.tree.TreeStructure;
import gatebook.command.tree.TreeTask;
import gatebook.command.tree.TreeTasks;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Answers requests to copy tasks, to link to them, and to archive them. */
final class CopyRequests {
  private final TreeStore treeStore;
  private final OpenTrees openTrees;
  private final FlowRequestReader requestReader;
  private final TaskSchemas taskSchemas;
  private final InstantSource clock;

  CopyRequests(
      TreeStore treeStore,
      OpenTrees openTrees,
      FlowRequestReader requestReader,
      TaskSchemas taskSchemas,
      InstantSource clock) {
    this.treeStore = treeStore;
    this.openTrees = openTrees;
    this.requestReader = requestReader;
    this.taskSchemas = taskSchemas;
    this.clock = clock;
  }

  /** Copies, links or archives a task, with {@code recursive} also what is below it. */
  CompletableFuture<String> copy(
      FlowRequest.Copy copy, FlowResponses responses, FlowContext context) {
    return treeStore
        .get(copy.taskId(), context)
        .thenCompose(named -> {
          UUID treeId = named.task().treeId();
          return treeStore
              .treeWithoutLinkResults(treeId, context)
              .thenCompose(tasks ->
                  copy.origin() == CopyOrigin.ARCHIVE
                      ? archive(copy, treeId, tasks, context)
                      : copy(copy, treeId, tasks, context));
        })
        .thenApply(made -> responses.copied(copy.taskId(), made.tasks, made.relations));
  }

  /**
   * What was made.
   *
   * @param tasks at least one, that of the named task first
   */
  private record Made(List<ReadTask> tasks, TaskRelations relations) {
    static Made of(List<ReadTask> tasks) {
      return new Made(tasks, TaskRelations.within(tasks));
    }
  }

  private CompletableFuture<Made> copy(
      FlowRequest.Copy copy, UUID treeId, List<ReadTask> tasks, FlowContext context) {
    List<String> sources = named(copy, tasks);
    List<TaskCopy> copies =
        TaskCopies.of(sources, linked(copy, sources), copy.resetFields(), tasks);
    boolean requiresWhole = copy.origin() == CopyOrigin.LINK && copy.recursive();
    return taskSchemas
        .run(() -> checked(copies, context))
        .thenCompose(checked ->
            copy.save()
                ? stored(checked, treeId, requiresWhole, context)
                : shown(checked, requiresWhole, tasks, context))
        .thenApply(Made::of);
  }

  /** The copies, if tasks can be what these were changed to. */
  private List<TaskCopy> checked(List<TaskCopy> copies, FlowContext context) {
    RequestFindings findings = new RequestFindings();
    List<TaskCopy> read = requestReader.copies(copies, findings, context.rules().limits());
    findings
        .fault()
        .ifPresent(fault -> {
          throw new RefusedRequest(fault);
        });
    return read;
  }

  private CompletableFuture<List<ReadTask>> stored(
      List<TaskCopy> copies, UUID treeId, boolean requiresWhole, FlowContext context) {
    return openTrees.create(
        context.owner(),
        context.rules().limits(),
        () -> treeStore.copy(treeId, copies, requiresWhole, context));
  }

  /** The ids of the named task and of those below it that are meant, too. */
  private static List<String> named(FlowRequest.Copy copy, List<ReadTask> tasks) {
    return copy.recursive() ? Descendants.all(copy.taskId(), tasks) : List.of(copy.taskId());
  }

  private static Set<String> linked(FlowRequest.Copy copy, List<String> sources) {
    return switch (copy.origin()) {
      case LINK -> Set.copyOf(sources);
      case MIXED -> mixed(copy.linkTaskIds(), new HashSet<>(sources));
      case COPY, ARCHIVE -> Set.of();
    };
  }

  private static Set<String> mixed(List<String> linkTaskIds, Set<String> sources) {
    Set<String> linked = Set.copyOf(linkTaskIds);
    if (!sources.containsAll(linked)) {
      throw new RefusedRequest(
          new Misdirected.InvalidParams(
              List.of(
                  new Problem(
                      "link_task_ids",
                      "Not among the tasks that are copied",
                      "ids of the task and of tasks below it",
                      null,
                      List.of()))));
    }
    return linked;
  }

  /** The copies as they would be stored, if they were. */
  private CompletableFuture<List<ReadTask>> shown(
      List<TaskCopy> copies, boolean requiresWhole, List<ReadTask> tasks, FlowContext context) {
    Map<String, TreeTask> byId = new HashMap<>();
    tasks.forEach(task -> byId.put(task.id(), task.task()));
    requireNone(CopySources.faults(copies, requiresWhole, byId.values()));
    List<TaskDraft> drafts = copies.stream().map(TaskCopy::draft).toList();
    requireNone(TreeStructure.faults(new TreeTasks(), drafts, context.rules().limits()));
    CopyPreview preview = new CopyPreview(UUID.randomUUID(), clock.instant());
    return treeStore
        .listed(drafts, context)
        .thenCompose(listed -> {
          requireNone(ExecutorNames.faults(ExecutorNames.of(drafts), context.rules(), listed));
          return treeStore.withLinkResults(
              copies.stream()
                  .map(copy -> preview.of(copy, Objects.requireNonNull(byId.get(copy.sourceId()))))
                  .toList(),
              context);
        });
  }

  private static void requireNone(List<TaskFault> faults) {
    if (!faults.isEmpty()) {
      throw new RefusedRequest(faults);
    }
  }

  private CompletableFuture<Made> archive(
      FlowRequest.Copy copy, UUID treeId, List<ReadTask> tasks, FlowContext context) {
    List<String> ids = named(copy, tasks);
    CompletableFuture<List<ReadTask>> archived;
    if (copy.save()) {
      archived =
          treeStore.archive(treeId, ids, context).thenCompose(_ -> treeStore.tree(treeId, context));
    } else {
      requireNone(CopySources.incomplete(tasks.stream().map(ReadTask::task).toList()));
      Instant now = clock.instant();
      archived =
          treeStore.withLinkResults(
              tasks.stream().map(task -> CopyPreview.archived(task, now)).toList(), context);
    }
    return archived.thenApply(tree -> new Made(among(ids, tree), TaskRelations.within(tree)));
  }

  /** The tasks with these ids, in the order of the ids. */
  private static List<ReadTask> among(List<String> ids, List<ReadTask> tree) {
    Map<String, ReadTask> byId = new HashMap<>();
    tree.forEach(task -> byId.put(task.id(), task));
    return ids.stream().map(id -> Objects.requireNonNull(byId.get(id))).toList();
  }
}
