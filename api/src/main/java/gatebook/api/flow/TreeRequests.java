package gatebook.api.flow;

import gatebook.api.flow.executor.ExecutorError;
import gatebook.api.flow.executor.TreeServices;
import gatebook.api.flow.read.FlowRequestReader;
import gatebook.api.flow.run.RunningTree;
import gatebook.api.flow.run.TreeRunner;
import gatebook.api.flow.run.TreeStore;
import gatebook.api.flow.task.ExecutionListener;
import gatebook.api.flow.task.FlowContext;
import gatebook.api.flow.task.FlowRequest;
import gatebook.api.flow.task.FlowRequest.ExecutionTarget;
import gatebook.api.flow.task.RefusedRequest;
import gatebook.api.flow.task.TaskRelations;
import gatebook.api.flow.task.TaskSchemas;
import gatebook.api.flow.webhook.WebhookParams;
import gatebook.api.upstream.FutureList;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.tree.ChangeTree.Change;
import gatebook.command.tree.IdListSize;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskDraft;
import gatebook.command.tree.TreeTask;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Answers requests about trees of tasks: changes, reads, executes and cancels them. */
final class TreeRequests {
  private final TreeStore treeStore;
  private final TaskLists taskLists;
  private final OpenTrees openTrees;
  private final TreeRunner treeRunner;
  private final TreeServices services;
  private final CopyRequests copyRequests;
  private final CancelRequests cancelRequests;
  private final DraftReferences draftReferences;
  private final UpdateRequests updateRequests;

  TreeRequests(
      TreeServices services,
      TreeStore treeStore,
      TaskLists taskLists,
      TreeRunner treeRunner,
      FlowRequestReader requestReader,
      TaskSchemas taskSchemas) {
    this.taskLists = taskLists;
    this.openTrees = new OpenTrees(taskLists::openTrees, services.clock());
    this.services = services;
    this.treeStore = treeStore;
    this.treeRunner = treeRunner;
    this.draftReferences = new DraftReferences(treeStore);
    this.cancelRequests = new CancelRequests(treeStore, treeRunner);
    this.updateRequests =
        new UpdateRequests(
            treeStore, taskLists, treeRunner, cancelRequests, requestReader, taskSchemas);
    this.copyRequests =
        new CopyRequests(treeStore, openTrees, requestReader, taskSchemas, services.clock());
  }

  CompletableFuture<Ended> answer(FlowRequest request, FlowContext context) {
    return CompletableFuture.completedFuture(request)
        .thenCompose(it -> result(it, new FlowResponses(context.profile()), context))
        .<Ended>thenApply(json -> new Ended.Result(json, false))
        .exceptionally(RefusedRequest::ended);
  }

  /** The JSON of the result. */
  private CompletableFuture<String> result(
      FlowRequest request, FlowResponses responses, FlowContext context) {
    return switch (request) {
      case FlowRequest.Create(var drafts) ->
          create(drafts, context)
              .thenApply(tasks -> responses.created(tasks, TaskRelations.within(tasks)));
      case FlowRequest.Get(var id) -> read(id, responses, context);
      case FlowRequest.Detail(var id) -> read(id, responses, context);
      case FlowRequest.Update update -> updateRequests.update(update, responses, context);
      case FlowRequest.Delete(var id) -> delete(id, responses, context);
      case FlowRequest.Children(var id) -> children(id, responses, context);
      case FlowRequest.Tree(var id) ->
          treeStore
              .get(id, context)
              .thenCompose(root ->
                  treeStore
                      .tree(root.task().treeId(), context)
                      .thenApply(
                          tasks -> responses.tree(root, tasks, TaskRelations.within(tasks))));
      case FlowRequest.Execute execute -> execute(execute, responses, context);
      case FlowRequest.Cancel cancel -> cancelRequests.cancel(cancel, responses, context);
      case FlowRequest.ListTasks(var statuses, boolean rootOnly, var page) ->
          taskLists
              .list(statuses.stream().findFirst(), rootOnly, page, context)
              .thenApply(listed ->
                  responses.list(listed.tasks(), listed.total(), page, listed.relations()));
      case FlowRequest.CountTasks(var statuses, boolean rootOnly) ->
          taskLists
              .count(statuses, rootOnly, context)
              .thenApply(counts -> responses.counts(counts, rootOnly));
      case FlowRequest.RunningList(var page) ->
          taskLists
              .list(Optional.of(TreeStatus.IN_PROGRESS), false, page, context)
              .thenApply(listed -> responses.runningList(listed.tasks(), listed.relations()));
      case FlowRequest.RunningCount() ->
          taskLists
              .count(Set.of(TreeStatus.IN_PROGRESS), false, context)
              .thenApply(counts ->
                  responses.runningCount(counts.getOrDefault(TreeStatus.IN_PROGRESS, 0L)));
      case FlowRequest.Copy copy -> copyRequests.copy(copy, responses, context);
      case FlowRequest.RunningStatus(var ids) -> runningStatus(ids, responses, context);
      case FlowRequest.SystemHealth() ->
          CompletableFuture.completedFuture(
              responses.health(
                  services.version(), services.clock().instant(), treeRunner.runningTasks()));
      case FlowRequest.Executors() ->
          services
              .executorRegistry()
              .all(context.routingSnapshot())
              .thenApply(responses::executors);
    };
  }

  private CompletableFuture<List<ReadTask>> create(List<TaskDraft> drafts, FlowContext context) {
    return draftReferences.check(drafts, context).thenCompose(_ -> checked(drafts, context));
  }

  private CompletableFuture<List<ReadTask>> checked(List<TaskDraft> drafts, FlowContext context) {
    String parentId = drafts.size() == 1 ? drafts.getFirst().parentId() : null;
    return parentId == null
        ? createTree(drafts, context)
        : treeStore
            .find(parentId, context)
            .thenCompose(parent ->
                parent
                    .map(it -> treeStore.add(it.task().treeId(), drafts, context))
                    .orElseThrow(() ->
                        new RefusedRequest(
                            new TaskFault.InvalidParentReference(
                                drafts.getFirst().id(), parentId, null))));
  }

  private CompletableFuture<List<ReadTask>> createTree(
      List<TaskDraft> drafts, FlowContext context) {
    return openTrees.create(
        context.owner(), context.rules().limits(), () -> treeStore.create(drafts, context));
  }

  private CompletableFuture<String> read(String id, FlowResponses responses, FlowContext context) {
    return treeStore
        .get(id, context)
        .thenCompose(task ->
            taskLists
                .shownRelations(task.task(), context)
                .thenApply(relations -> responses.task(task, relations)));
  }

  private CompletableFuture<List<ReadTask>> treeOf(String id, FlowContext context) {
    return treeStore
        .get(id, context)
        .thenCompose(task -> treeStore.tree(task.task().treeId(), context));
  }

  private CompletableFuture<String> children(
      String id, FlowResponses responses, FlowContext context) {
    return treeOf(id, context)
        .thenApply(tasks ->
            responses.children(
                tasks.stream().filter(task -> id.equals(task.task().parentId())).toList(),
                TaskRelations.within(tasks)));
  }

  private CompletableFuture<String> runningStatus(
      List<String> ids, FlowResponses responses, FlowContext context) {
    return FutureList.all(ids.stream().map(id -> treeStore.find(id, context)).toList())
        .thenApply(found -> {
          Map<String, ReadTask> byId = new HashMap<>();
          found.forEach(task -> task.ifPresent(it -> byId.put(it.id(), it)));
          return responses.runningStatus(ids, byId);
        });
  }

  private CompletableFuture<String> delete(
      String id, FlowResponses responses, FlowContext context) {
    return treeStore
        .get(id, context)
        .thenCompose(task ->
            treeRunner.change(
                task.task().treeId(),
                () -> treeStore.change(task.task().treeId(), new Change.DeleteTask(id), context),
                tree -> {
                  tree.delete(id);
                  return CompletableFuture.completedFuture(null);
                }))
        .thenApply(_ -> responses.deleted(id));
  }

  private CompletableFuture<String> execute(
      FlowRequest.Execute execute, FlowResponses responses, FlowContext context) {
    execute.webhook().ifPresent(webhook -> WebhookParams.requireAllowed(webhook, context.rules()));
    return target(execute.target(), context)
        .thenCompose(named -> {
          Optional<ExecutionListener> stream = stream(execute, named, context);
          return treeStore
              .startExecution(named, execute.cascade(), execute.webhook(), context)
              .thenCompose(command -> treeRunner.start(command, stream.stream().toList()))
              .thenCompose(tree ->
                  execute.waits() && stream.isEmpty()
                      ? end(named, tree).thenCompose(_ -> outcome(named, responses, context))
                      : rootId(named, context)
                          .thenApply(rootId ->
                              responses.started(
                                  rootId,
                                  named.id(),
                                  stream.isPresent(),
                                  execute
                                      .webhook()
                                      .map(it -> context.rules().shownWebhook(it.url())))));
        });
  }

  /** The end of the named task, or of what is executed below it. */
  private static CompletableFuture<TreeStatus> end(ReadTask named, RunningTree tree) {
    return switch (named.task().status()) {
      case PENDING, IN_PROGRESS, FAILED -> tree.taskEnd(named.id());
      case COMPLETED, CANCELLED -> tree.end();
    };
  }

  /** Receives the progress when the caller wants it as a stream, and is reached by one. */
  private Optional<ExecutionListener> stream(
      FlowRequest.Execute execute, ReadTask named, FlowContext context) {
    return execute.streams() && context.channel() instanceof FlowExchange exchange
        ? Optional.of(exchange.stream(named.id(), services.clock()))
        : Optional.empty();
  }

  private CompletableFuture<String> rootId(ReadTask named, FlowContext context) {
    return named.task().parentId() == null
        ? CompletableFuture.completedFuture(named.id())
        : treeStore
            .treeWithoutLinkResults(named.task().treeId(), context)
            .thenApply(tasks -> TaskRelations.rootId(tasks, named.id()));
  }

  private CompletableFuture<ReadTask> target(ExecutionTarget target, FlowContext context) {
    return switch (target) {
      case ExecutionTarget.StoredTask(var id) -> treeStore.get(id, context);
      case ExecutionTarget.NewTasks(var drafts) ->
          create(drafts, context)
              .thenApply(tasks ->
                  tasks.stream()
                      .filter(task -> task.task().parentId() == null)
                      .findFirst()
                      .orElseThrow());
    };
  }

  /** The task that was waited for; its failure is the error of the request. */
  private CompletableFuture<String> outcome(
      ReadTask named, FlowResponses responses, FlowContext context) {
    return treeStore
        .treeWithoutLinkResults(named.task().treeId(), context)
        .thenApply(tasks -> {
          ReadTask task =
              tasks.stream()
                  .filter(it -> it.id().equals(named.id()))
                  .findFirst()
                  .orElseThrow(() -> new RefusedRequest(new TaskFault.TaskNotFound(named.id())));
          if (task.task().status() == TreeStatus.PENDING) {
            throw new RefusedRequest(
                new TaskFault.DependencyNotSatisfied(
                    task.id(), IdListSize.limited(unsatisfied(task, tasks))));
          }
          if (task.task().status() == TreeStatus.FAILED) {
            throw executorFailed(task.task());
          }
          return responses.ended(TaskRelations.rootId(tasks, task.id()), task);
        });
  }

  /** When its call got an error response, that error is counted, and not this one. */
  private static RefusedRequest executorFailed(TreeTask task) {
    String executor = Objects.requireNonNullElse(task.content().executor(), "");
    String error = Objects.requireNonNullElse(task.error(), "");
    UpstreamFault.ExecutorFailed fault =
        new UpstreamFault.ExecutorFailed(task.id(), executor, ExecutorError.cause(executor, error));
    UUID callId = task.callId();
    return callId == null || task.code() == null
        ? new RefusedRequest(fault)
        : RefusedRequest.earlier(fault, callId);
  }

  /** The required dependencies of a task that are not completed. */
  private static List<String> unsatisfied(ReadTask task, List<ReadTask> tasks) {
    Set<String> completed =
        tasks.stream()
            .filter(it -> it.task().status() == TreeStatus.COMPLETED)
            .map(ReadTask::id)
            .collect(Collectors.toSet());
    return task.task().content().dependencies().stream()
        .filter(dependency -> dependency.required() && !completed.contains(dependency.id()))
        .map(TaskDependency::id)
        .toList();
  }
}
