package gatebook.api.flow.run;

import gatebook.api.flow.executor.LinkResults;
import gatebook.api.flow.executor.TreeServices;
import gatebook.api.flow.task.FlowContext;
import gatebook.api.flow.task.FlowRequest.WebhookConfig;
import gatebook.api.flow.task.RefusedRequest;
import gatebook.api.flow.webhook.WebhookConfigJson;
import gatebook.api.gateway.message.CommandResult;
import gatebook.command.rules.Rules;
import gatebook.command.tree.ArchiveTasks;
import gatebook.command.tree.CancelTreeTask;
import gatebook.command.tree.ChangeTree;
import gatebook.command.tree.ChangeTree.Change;
import gatebook.command.tree.CopyTasks;
import gatebook.command.tree.CreateTree;
import gatebook.command.tree.ExecutorNames;
import gatebook.command.tree.GetTree;
import gatebook.command.tree.GetTreeTask;
import gatebook.command.tree.ListedTools;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskCopy;
import gatebook.command.tree.TaskDraft;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.TreeOutcome;
import gatebook.command.tree.execution.StartExecution;
import gatebook.command.tree.execution.WebhookDraft;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.TaskFault;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands and queries about the trees of one caller. A refusal ends the request with a
 * {@link RefusedRequest}.
 */
public final class TreeStore {
  private final TreeServices services;

  public TreeStore(TreeServices services) {
    this.services = services;
  }

  /** Creates a tree, and returns its tasks. */
  public CompletableFuture<List<ReadTask>> create(List<TaskDraft> drafts, FlowContext context) {
    UUID treeId = UUID.randomUUID();
    return listed(drafts, context)
        .thenCompose(listed ->
            send(
                new CreateTree(
                    treeId,
                    context.owner(),
                    drafts,
                    context.callId(),
                    services.clock().instant(),
                    context.rules().hash(),
                    listed),
                context.rules()))
        .thenCompose(_ -> tree(treeId, context));
  }

  /** Adds tasks to a tree, and returns them. */
  public CompletableFuture<List<ReadTask>> add(
      UUID treeId, List<TaskDraft> drafts, FlowContext context) {
    Set<String> ids = drafts.stream().map(TaskDraft::id).collect(Collectors.toSet());
    return change(treeId, new Change.AddTasks(drafts), context)
        .thenCompose(_ -> tree(treeId, context))
        .thenApply(tasks -> tasks.stream().filter(task -> ids.contains(task.id())).toList());
  }

  public CompletableFuture<TreeOutcome> change(UUID treeId, Change change, FlowContext context) {
    List<TaskDraft> drafts =
        switch (change) {
          case Change.AddTasks(var added) -> added;
          case Change.UpdateTask(var updated) -> List.of(updated);
          case Change.DeleteTask _ -> List.of();
        };
    return listed(drafts, context)
        .thenCompose(listed ->
            send(
                new ChangeTree(
                    treeId,
                    context.owner(),
                    change,
                    context.callId(),
                    services.clock().instant(),
                    context.rules().hash(),
                    listed),
                context.rules()));
  }

  /** Copies tasks into a tree of their own, and returns its tasks. */
  public CompletableFuture<List<ReadTask>> copy(
      UUID sourceTreeId, List<TaskCopy> copies, boolean requiresWhole, FlowContext context) {
    UUID treeId = UUID.randomUUID();
    return listed(copies.stream().map(TaskCopy::draft).toList(), context)
        .thenCompose(listed ->
            send(
                new CopyTasks(
                    sourceTreeId,
                    treeId,
                    context.owner(),
                    copies,
                    requiresWhole,
                    context.callId(),
                    services.clock().instant(),
                    context.rules().hash(),
                    listed),
                context.rules()))
        .thenCompose(_ -> tree(treeId, context));
  }

  public CompletableFuture<TreeOutcome> archive(
      UUID treeId, List<String> taskIds, FlowContext context) {
    return send(
        new ArchiveTasks(
            treeId, context.owner(), taskIds, context.callId(), services.clock().instant()),
        context.rules());
  }

  public CompletableFuture<TreeOutcome> cancel(String id, String error, FlowContext context) {
    return send(
        new CancelTreeTask(key(id, context), error, context.callId(), services.clock().instant()),
        context.rules());
  }

  /** What sources list of the executors of drafts. */
  public CompletableFuture<ListedTools> listed(List<TaskDraft> drafts, FlowContext context) {
    return listed(drafts.stream().map(TaskDraft::executor), context);
  }

  private CompletableFuture<ListedTools> listed(
      Stream<@Nullable String> executors, FlowContext context) {
    return services
        .executorRegistry()
        .listed(ExecutorNames.tools(executors), context.routingSnapshot());
  }

  /** The command that executes a task, with what sources list of the executors of its tree. */
  public CompletableFuture<StartExecution> startExecution(
      ReadTask named, boolean cascade, Optional<WebhookConfig> webhook, FlowContext context) {
    return treeWithoutLinkResults(named.task().treeId(), context)
        .thenCompose(
            tasks -> listed(tasks.stream().map(task -> task.task().content().executor()), context))
        .thenApply(listed -> startExecution(named, cascade, webhook, listed, context));
  }

  private StartExecution startExecution(
      ReadTask named,
      boolean cascade,
      Optional<WebhookConfig> webhook,
      ListedTools listed,
      FlowContext context) {
    return new StartExecution(
        named.task().treeId(),
        context.owner(),
        named.id(),
        UUID.randomUUID(),
        cascade,
        webhook
            .map(config -> new WebhookDraft(config.url(), WebhookConfigJson.of(config)))
            .orElse(null),
        context.callId(),
        context.correlation(),
        services.clock().instant(),
        context.rules().hash(),
        listed);
  }

  /** The task with this id; the request ends when the caller has none. */
  public CompletableFuture<ReadTask> get(String id, FlowContext context) {
    return find(id, context)
        .thenApply(
            task -> task.orElseThrow(() -> new RefusedRequest(new TaskFault.TaskNotFound(id))));
  }

  public CompletableFuture<Optional<ReadTask>> find(String id, FlowContext context) {
    return query(
            context,
            rules -> new GetTreeTask(key(id, context), rules.hash()),
            GetTreeTask.Result.class)
        .thenCompose(result -> withLinkResults(result.task().stream().toList(), context))
        .thenApply(tasks -> tasks.stream().findFirst());
  }

  /** The tasks of a tree, in the order of their creation. */
  public CompletableFuture<List<ReadTask>> tree(UUID treeId, FlowContext context) {
    return treeWithoutLinkResults(treeId, context)
        .thenCompose(tasks -> withLinkResults(tasks, context));
  }

  /** Those of a caller's tasks that are still there, given their ids and their trees, in order. */
  public CompletableFuture<List<ReadTask>> read(
      SequencedMap<String, UUID> treesById, FlowContext context) {
    Map<UUID, Set<TaskKey>> byTree = new HashMap<>();
    treesById.forEach(
        (id, treeId) -> byTree.computeIfAbsent(treeId, _ -> new HashSet<>()).add(key(id, context)));
    return LinkResults.read(byTree, queries(context))
        .thenCompose(byKey ->
            withLinkResults(
                treesById.keySet().stream()
                    .flatMap(id -> Stream.ofNullable(byKey.get(key(id, context))))
                    .toList(),
                context));
  }

  public CompletableFuture<List<ReadTask>> withLinkResults(
      List<ReadTask> tasks, FlowContext context) {
    return LinkResults.with(tasks, queries(context));
  }

  private LinkResults.Queries queries(FlowContext context) {
    return new LinkResults.Queries() {
      @Override
      public <R> CompletableFuture<R> send(Function<Rules, Object> query, Class<R> answer) {
        return query(context, query, answer);
      }
    };
  }

  /** The same, where links have no results: for those, other trees may have to be read. */
  public CompletableFuture<List<ReadTask>> treeWithoutLinkResults(
      UUID treeId, FlowContext context) {
    return query(
            context,
            rules -> new GetTree(treeId, context.owner(), rules.hash()),
            GetTree.Result.class)
        .thenApply(GetTree.Result::tasks);
  }

  private <R> CompletableFuture<R> query(
      FlowContext context, Function<Rules, Object> query, Class<R> answer) {
    Rules rules = context.rules();
    return services
        .querySender()
        .send(query.apply(rules), answer, rules)
        .thenApply(TreeStore::stored);
  }

  private static TaskKey key(String id, FlowContext context) {
    return new TaskKey(context.owner(), id);
  }

  private CompletableFuture<TreeOutcome> send(Object command, Rules rules) {
    return services
        .commandSender()
        .send(command, TreeOutcome.class, rules)
        .thenApply(TreeStore::done);
  }

  /** The outcome of what was done; the request ends when it was refused. */
  static TreeOutcome done(CommandResult<TreeOutcome> result) {
    return switch (stored(result)) {
      case TreeOutcome.Done done -> done;
      case TreeOutcome.Refused(var faults) -> throw new RefusedRequest(faults);
      case TreeOutcome.BetweenTasks(var fault) -> throw new RefusedRequest(fault);
    };
  }

  /** What was stored or read; the request ends when it could not be. */
  static <R> R stored(CommandResult<R> result) {
    return switch (result) {
      case CommandResult.Stored<R>(var outcome) -> outcome;
      case CommandResult.Refused<R> _ ->
          throw new RefusedRequest(new ServiceUnavailable(Cause.JOURNAL, null));
    };
  }
}
