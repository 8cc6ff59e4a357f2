package gatebook.api.flow.run;

import gatebook.api.flow.executor.TreeServices;
import gatebook.api.flow.task.ExecutionListener;
import gatebook.api.gateway.message.CommandResult;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.tree.GetTree;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.TreeOutcome;
import gatebook.command.tree.execution.StartExecution;
import gatebook.command.tree.execution.TakeOverExecution;
import gatebook.events.TreeTaskArchived;
import gatebook.events.TreeTaskCancelled;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskEvent;
import gatebook.events.TreeTaskFailed;
import gatebook.events.TreeTaskLinked;
import gatebook.events.TreeTaskReferenced;
import gatebook.events.TreeTaskReopened;
import gatebook.events.TreeTaskRetried;
import gatebook.events.TreeTaskStarted;
import gatebook.events.TreeTaskUpdated;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs trees of tasks in this process. */
public final class TreeRunner {
  /** An execution that runs no task starts one or ends sooner than this, unless slots are full. */
  private static final Duration NEXT_STEP_WITHIN = Duration.ofMillis(500);

  static final Executor AFTER_PAUSE = CompletableFuture.delayedExecutor(10, TimeUnit.MILLISECONDS);

  private final TreeServices services;
  private final RunSlots runSlots;
  private final ResultMemory resultMemory = new ResultMemory(ResultMemory.CHARS_MAX);
  private final TreeWebhooks treeWebhooks;

  /** The trees that run in this process, some of them not yet. */
  private final Map<UUID, CompletableFuture<RunningTree>> runningTrees = new ConcurrentHashMap<>();

  public TreeRunner(TreeServices services, TreeWebhooks treeWebhooks) {
    this.services = services;
    this.runSlots = new RunSlots(() -> limits().getInt(Limit.TREE_TASKS_RUNNING_MAX));
    this.treeWebhooks = treeWebhooks;
  }

  private GatewayLimits limits() {
    return services.routingSnapshots().get().rules().limits();
  }

  /** Records that an execution starts, and runs it; the listeners receive what is recorded. */
  public CompletableFuture<RunningTree> start(
      StartExecution command, List<ExecutionListener> listeners) {
    Rules rules = services.routingSnapshots().get().rules();
    Execution execution =
        new Execution(command.treeId(), command.executionId(), command.owner(), command.taskId());
    return sendUnlessBetweenTasks(command, rules, services.clock().instant().plus(NEXT_STEP_WITHIN))
        .thenApply(TreeStore::done)
        .thenCompose(_ ->
            run(
                execution,
                listeners,
                CompletableFuture.completedFuture(TreeWebhooks.config(command.webhook()))));
  }

  /**
   * Retries the command while another execution is between two tasks, or between its last task and
   * its end: a client that saw the last task end may start the next execution at once.
   */
  private CompletableFuture<CommandResult<TreeOutcome>> sendUnlessBetweenTasks(
      StartExecution command, Rules rules, Instant until) {
    return services
        .commandSender()
        .send(command, TreeOutcome.class, rules)
        .thenCompose(result ->
            isBetweenTasks(result) && services.clock().instant().isBefore(until)
                ? CompletableFuture.runAsync(() -> {}, AFTER_PAUSE)
                    .thenCompose(_ -> sendUnlessBetweenTasks(command, rules, until))
                : CompletableFuture.completedFuture(result));
  }

  private static boolean isBetweenTasks(CommandResult<TreeOutcome> result) {
    return result instanceof CommandResult.Stored<TreeOutcome>(TreeOutcome.BetweenTasks _);
  }

  /** What runs, and for whom. */
  public record Execution(UUID treeId, UUID executionId, String owner, String taskId) {}

  /**
   * Takes over an execution from a process that died.
   *
   * @param startedAt when the dead process started it, or took it over
   */
  public CompletableFuture<Void> takeOver(Execution execution, Instant startedAt) {
    return services
        .retryingSender()
        .command(
            _ ->
                new TakeOverExecution(
                    execution.treeId, execution.executionId, startedAt, services.clock().instant()),
            Boolean.class)
        .thenCompose(isMine ->
            isMine
                ? run(execution, List.of(), treeWebhooks.config(execution.executionId))
                    .thenAccept(_ -> {})
                : CompletableFuture.completedFuture(null));
  }

  private CompletableFuture<GetTree.Result> tree(Execution execution) {
    return services
        .retryingSender()
        .query(
            rules -> new GetTree(execution.treeId, execution.owner, rules.hash()),
            GetTree.Result.class);
  }

  /**
   * Runs an execution that is recorded. Changes of its tasks are followed before its tree is read:
   * each is in what is read, or reported.
   */
  private CompletableFuture<RunningTree> run(
      Execution execution,
      List<ExecutionListener> listeners,
      CompletableFuture<Optional<String>> webhookConfig) {
    CompletableFuture<RunningTree> running = new CompletableFuture<>();
    runningTrees.put(execution.treeId, running);
    Runnable stopFollowing =
        services
            .recordedTaskChanges()
            .follow(
                execution.treeId,
                change -> {
                  CompletableFuture<Void> _ = running.thenAccept(tree -> apply(change, tree));
                });
    CompletableFuture<Void> _ =
        running
            .thenCompose(RunningTree::end)
            .handle((_, _) -> {
              runningTrees.remove(execution.treeId, running);
              stopFollowing.run();
              return null;
            });
    CompletableFuture<RunningTree> _ =
        tree(execution)
            .thenCombine(
                webhookConfig, (tree, config) -> started(execution, tree, listeners, config))
            .whenComplete((tree, failure) -> {
              if (failure == null) {
                running.complete(tree);
              } else {
                running.completeExceptionally(failure);
              }
            });
    return running;
  }

  private static void apply(TreeTaskEvent change, RunningTree tree) {
    switch (change) {
      case TreeTaskCancelled event -> tree.cancel(event.taskId());
      case TreeTaskUpdated event -> {
        CompletableFuture<Void> _ = tree.update(new TaskKey(event.owner(), event.taskId()));
      }
      case TreeTaskDeleted event -> tree.delete(event.taskId());
      case TreeTaskCreated _,
          TreeTaskStarted _,
          TreeTaskRetried _,
          TreeTaskCompleted _,
          TreeTaskFailed _,
          TreeTaskReopened _,
          TreeTaskLinked _,
          TreeTaskReferenced _,
          TreeTaskArchived _ -> {
        // the execution did that itself, or it is about no task that waits to start
      }
    }
  }

  private RunningTree started(
      Execution execution,
      GetTree.Result tree,
      List<ExecutionListener> listeners,
      Optional<String> webhookConfig) {
    RunningTree runningTree =
        new RunningTree(
            services,
            runSlots,
            resultMemory,
            execution,
            tree.correlation(),
            TreeSchedule.of(tree.tasks(), tree.executing()),
            () -> limits().getInt(Limit.TREE_TASKS_RUNNING_PER_TREE_MAX),
            treeWebhooks.joined(listeners, execution, tree, webhookConfig));
    runningTree.start();
    return runningTree;
  }

  /**
   * Records a change of a task by its owner, and applies it at once if its tree runs in this
   * process. The journal reports it too, here and where else the tree runs.
   */
  public <T> CompletableFuture<T> change(
      UUID treeId,
      Supplier<CompletableFuture<T>> recording,
      Function<RunningTree, CompletableFuture<Void>> applying) {
    return recording
        .get()
        .thenCompose(recorded ->
            runningTree(treeId)
                .thenCompose(tree ->
                    tree.map(applying).orElseGet(() -> CompletableFuture.completedFuture(null)))
                .thenApply(_ -> recorded));
  }

  /** Empty also for a tree that cannot be read soon: then the journal cannot be read, either. */
  private CompletableFuture<Optional<RunningTree>> runningTree(UUID treeId) {
    CompletableFuture<RunningTree> running = runningTrees.get(treeId);
    return running == null
        ? CompletableFuture.completedFuture(Optional.empty())
        : running
            .handle((tree, _) -> Optional.ofNullable(tree))
            .completeOnTimeout(
                Optional.empty(), NEXT_STEP_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Starts nothing more; what is open is taken over by the next process. */
  public void close() {
    services.retryingSender().close();
    treeWebhooks.close();
  }

  /** How many tasks run in this process. */
  public int runningTasks() {
    return runSlots.taken();
  }
}
