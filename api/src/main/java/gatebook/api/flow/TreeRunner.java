package gatebook.api.flow;

import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Rules;
import gatebook.command.tree.GetTree;
import gatebook.command.tree.StartExecution;
import gatebook.command.tree.TakeOverExecution;
import gatebook.command.tree.TreeOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Runs trees of tasks in this process. */
final class TreeRunner {
  private final TreeServices services;
  private final RunSlots runSlots;
  private final TreeWebhooks treeWebhooks;
  private final Map<UUID, RunningTree> running = new ConcurrentHashMap<>();

  TreeRunner(TreeServices services, TreeWebhooks treeWebhooks) {
    this.services = services;
    this.runSlots = new RunSlots(() -> limits().treeTasksRunningMax());
    this.treeWebhooks = treeWebhooks;
  }

  private GatewayLimits limits() {
    return services.routingSnapshots().get().rules().limits();
  }

  /** Records that an execution starts, and runs it; the listeners receive what is recorded. */
  CompletableFuture<RunningTree> start(StartExecution command, List<ExecutionListener> listeners) {
    Rules rules = services.routingSnapshots().get().rules();
    Execution execution =
        new Execution(command.treeId(), command.executionId(), command.owner(), command.taskId());
    return services
        .commandSender()
        .send(command, TreeOutcome.class, rules)
        .thenApply(TreeStore::done)
        .thenCompose(_ -> tree(execution))
        .thenApply(tree -> run(execution, tree, listeners, TreeWebhooks.config(command.webhook())));
  }

  /** What runs, and for whom. */
  record Execution(UUID treeId, UUID executionId, String owner, String taskId) {}

  /**
   * Takes over an execution from a process that died.
   *
   * @param startedAt when the dead process started it, or took it over
   */
  CompletableFuture<Void> takeOver(Execution execution, Instant startedAt) {
    return services
        .retryingSender()
        .command(
            _ ->
                new TakeOverExecution(
                    execution.treeId, execution.executionId, startedAt, services.clock().instant()),
            Boolean.class)
        .thenCompose(isMine ->
            isMine
                ? tree(execution)
                    .thenCombine(
                        treeWebhooks.config(execution.executionId),
                        (tree, config) -> run(execution, tree, List.of(), config))
                    .thenAccept(_ -> {})
                : CompletableFuture.completedFuture(null));
  }

  private CompletableFuture<GetTree.Result> tree(Execution execution) {
    return services
        .retryingSender()
        .query(
            rules -> new GetTree(execution.treeId, execution.owner, rules.hash()),
            GetTree.Result.class)
        .thenCompose(tree ->
            LinkResults.with(tree.tasks(), services.retryingSender()::query)
                .thenApply(tasks -> new GetTree.Result(tasks, tree.executing())));
  }

  private RunningTree run(
      Execution execution,
      GetTree.Result tree,
      List<ExecutionListener> listeners,
      Optional<String> webhookConfig) {
    RunningTree runningTree =
        new RunningTree(
            services,
            runSlots,
            execution,
            TreeSchedule.of(tree.tasks(), tree.executing()),
            () -> limits().treeTasksRunningPerTreeMax(),
            treeWebhooks.joined(listeners, execution, tree, webhookConfig));
    running.put(execution.treeId, runningTree);
    CompletableFuture<Boolean> _ =
        runningTree.end().thenApply(_ -> running.remove(execution.treeId, runningTree));
    runningTree.start();
    return runningTree;
  }

  /** Starts nothing more; what is open is taken over by the next process. */
  void close() {
    services.retryingSender().close();
    treeWebhooks.close();
  }

  /** How many tasks run in this process. */
  int runningTasks() {
    return runSlots.taken();
  }

  /** A task was cancelled. */
  void cancel(UUID treeId, String taskId) {
    RunningTree tree = running.get(treeId);
    if (tree != null) {
      tree.cancel(taskId);
    }
  }
}
