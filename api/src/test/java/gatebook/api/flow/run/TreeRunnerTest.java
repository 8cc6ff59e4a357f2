package gatebook.api.flow.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.flow.FlowTasks;
import gatebook.api.flow.executor.ExecutorRegistry;
import gatebook.api.flow.executor.RetryingSender;
import gatebook.api.flow.executor.TaskExecutors;
import gatebook.api.flow.executor.ToolLists;
import gatebook.api.flow.executor.ToolSchemas;
import gatebook.api.flow.executor.TreeServices;
import gatebook.api.flow.task.RefusedRequest;
import gatebook.api.flow.task.TaskSchemas;
import gatebook.api.flow.webhook.WebhookServices;
import gatebook.api.gateway.CommandSender;
import gatebook.api.gateway.QuerySender;
import gatebook.api.gateway.RecordedTaskChanges;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.HoldListener;
import gatebook.api.gateway.message.Reply;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.gateway.message.TaskRun;
import gatebook.api.gateway.message.ToolCaller;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.task.GetCallState;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Rules;
import gatebook.command.tree.GetTree;
import gatebook.command.tree.GetTreeTask;
import gatebook.command.tree.ListedTools;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.SettleTreeTask;
import gatebook.command.tree.TreeOutcome;
import gatebook.command.tree.execution.EndExecution;
import gatebook.command.tree.execution.GetWebhook;
import gatebook.command.tree.execution.StartExecution;
import gatebook.command.tree.execution.TakeOverExecution;
import gatebook.events.TreeTaskCancelled;
import gatebook.events.TreeTaskEvent;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.call.Correlation;
import gatebook.events.fault.TaskFault;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TreeStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.queryhandling.gateway.QueryGateway;
import org.junit.jupiter.api.Test;

/** What is recorded of a tree while its runner starts it, takes it over, runs and ends it. */
final class TreeRunnerTest {
  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  private static final UUID EXECUTION = new UUID(1, 2);
  private static final UUID CALL = new UUID(1, 3);
  private static final String TASK = "a";
  private static final TaskFault EXECUTING = new TaskFault.TaskAlreadyExecuting(TASK);
  private static final TreeOutcome BETWEEN_TASKS = new TreeOutcome.BetweenTasks(EXECUTING);
  private static final StartExecution START =
      new StartExecution(
          FlowTasks.TREE,
          FlowTasks.OWNER,
          TASK,
          EXECUTION,
          false,
          null,
          CALL,
          new Correlation("order-7", null, null),
          NOON,
          "",
          ListedTools.NONE);

  /** A clock that goes on with each look ends the attempts before so many. */
  private static final int SENT_MAX = 100;

  private final ReadTask task = FlowTasks.running(FlowTasks.draft(TASK), CALL);
  private final CompletableFuture<GetTree.Result> tree = new CompletableFuture<>();
  private final CompletableFuture<EndExecution> end = new CompletableFuture<>();
  private final List<EndExecution> sentEnds = new CopyOnWriteArrayList<>();

  /** The outcomes of the next ends; without one, the execution has ended. */
  private final Queue<CompletableFuture<Boolean>> endings = new ConcurrentLinkedQueue<>();

  /** What the next tasks that are read are; without one, the task is cancelled. */
  private final Queue<CompletableFuture<GetTreeTask.Result>> reads = new ConcurrentLinkedQueue<>();

  private final List<String> stopped = new CopyOnWriteArrayList<>();
  private final FollowedChanges changes = new FollowedChanges();

  /** The outcomes of the next starts. */
  private final Queue<TreeOutcome> outcomes = new ConcurrentLinkedQueue<>();

  private final AtomicReference<Instant> now = new AtomicReference<>(NOON);

  @Test
  void aTaskCancelledWhileItsTreeIsReadIsStopped() {
    CompletableFuture<Void> takenOver = takeOver();
    await().until(changes::areFollowed);

    changes.report(TASK);
    tree.complete(new GetTree.Result(List.of(task), Set.of(TASK), null));

    takenOver.join();
    assertThat(end.join().status()).isEqualTo(TreeStatus.CANCELLED);
    assertThat(stopped).containsExactly(TASK);
  }

  @Test
  void changesAreFollowedUntilTheExecutionEnds() {
    tree.complete(new GetTree.Result(List.of(task), Set.of(TASK), null));
    takeOver().join();
    assertThat(changes.areFollowed()).isTrue();

    changes.report("unknown");
    assertThat(end).isNotDone();
    changes.report(TASK);

    await().until(() -> !changes.areFollowed());
    assertThat(end).isDone();
    assertThat(stopped).containsExactly(TASK);
  }

  @Test
  void executionGoesOnAfterAChangeBeforeItsEnd() {
    tree.complete(new GetTree.Result(List.of(task), Set.of(TASK), null));
    takeOver().join();
    changes.position(7);
    endings.add(done(false));

    changes.report(TASK);
    await().until(() -> sentEnds.size() == 2);

    assertThat(sentEnds).extracting(EndExecution::seen).containsExactly(7L, 7L);
    await().until(() -> !changes.areFollowed());
  }

  @Test
  void executionEndsAfterAnUpdatedTaskIsRead() {
    tree.complete(new GetTree.Result(List.of(task), Set.of(TASK), null));
    takeOver().join();
    CompletableFuture<GetTreeTask.Result> read = new CompletableFuture<>();
    reads.add(read);
    changes.reportUpdated("other");

    changes.report(TASK); // nothing runs from now on
    assertThat(end).isNotDone();
    read.complete(new GetTreeTask.Result(Optional.empty()));

    assertThat(end).isDone();
  }

  @Test
  void recordedChangeIsAppliedToTheTreeThatRuns() {
    tree.complete(new GetTree.Result(List.of(task), Set.of(TASK), null));
    TreeRunner runner = runner();
    takeOver(runner).join();
    CompletableFuture<String> recorded = new CompletableFuture<>();

    CompletableFuture<String> changed =
        runner.change(
            FlowTasks.TREE,
            () -> recorded,
            running -> {
              running.cancel(TASK);
              return CompletableFuture.allOf();
            });
    assertThat(stopped).isEmpty();
    recorded.complete("changed");

    assertThat(changed.join()).isEqualTo("changed");
    assertThat(stopped).containsExactly(TASK);
  }

  @Test
  void executionStartsOnceAnotherThatRunsNoTaskHasEnded() {
    tree.complete(new GetTree.Result(List.of(), Set.of(), null));
    outcomes.addAll(List.of(BETWEEN_TASKS, BETWEEN_TASKS, new TreeOutcome.Done()));

    runner().start(START, List.of()).join().end().join();

    assertThat(outcomes).isEmpty();
    assertThat(end).isDone();
  }

  @Test
  void executionIsRefusedWhileAnotherStaysBetweenTasks() {
    outcomes.addAll(Collections.nCopies(SENT_MAX, BETWEEN_TASKS));

    assertThat(ended(runner().start(START, List.of()))).isEqualTo(new Ended.Failure(EXECUTING));

    assertThat(outcomes).isNotEmpty();
  }

  @Test
  void executionIsRefusedAtOnceWhileTasksRun() {
    outcomes.add(new TreeOutcome.Refused(List.of(EXECUTING)));

    assertThat(ended(runner().start(START, List.of()))).isEqualTo(new Ended.Failure(EXECUTING));
  }

  private static Ended ended(CompletableFuture<RunningTree> refused) {
    return refused
        .<Ended>thenApply(_ -> new Ended.Result("", false))
        .exceptionally(RefusedRequest::ended)
        .join();
  }

  /** The changes as a test reports them. */
  private static final class FollowedChanges implements RecordedTaskChanges {
    private final List<Consumer<TreeTaskEvent>> followers = new CopyOnWriteArrayList<>();
    private volatile long position;

    @Override
    public Runnable follow(UUID treeId, Consumer<TreeTaskEvent> onChange) {
      assertThat(treeId).isEqualTo(FlowTasks.TREE);
      followers.add(onChange);
      return () -> followers.remove(onChange);
    }

    @Override
    public long position() {
      return position;
    }

    void position(long reported) {
      position = reported;
    }

    boolean areFollowed() {
      return !followers.isEmpty();
    }

    void report(String taskId) {
      report(
          new TreeTaskCancelled(
              FlowTasks.TREE, taskId, FlowTasks.OWNER, "Cancelled by user", CALL, NOON));
    }

    void reportUpdated(String taskId) {
      TaskContent content = new TaskContent("a", null, 2, List.of(), null, "{}");
      report(new TreeTaskUpdated(FlowTasks.TREE, taskId, FlowTasks.OWNER, content, CALL, NOON));
    }

    private void report(TreeTaskEvent event) {
      followers.forEach(follower -> follower.accept(event));
    }
  }

  private TreeRunner runner() {
    TreeServices services = services();
    WebhookServices webhooks = WebhookServices.overHttp(new SimpleMeterRegistry());
    return new TreeRunner(services, new TreeWebhooks(services, webhooks));
  }

  private CompletableFuture<Void> takeOver() {
    return takeOver(runner());
  }

  private static CompletableFuture<Void> takeOver(TreeRunner runner) {
    return runner.takeOver(
        new TreeRunner.Execution(FlowTasks.TREE, EXECUTION, FlowTasks.OWNER, TASK), NOON);
  }

  private TreeServices services() {
    RoutingSnapshot routingSnapshot = new RoutingSnapshot(Rules.NONE, Map.of(), null);
    CommandSender commandSender = new CommandSender(gateway(CommandGateway.class, this::recorded));
    QuerySender querySender =
        new QuerySender(gateway(QueryGateway.class, this::found), Runnable::run);
    ToolLists toolLists = new ToolLists(() -> NOON);
    ExecutorRegistry executorRegistry = new ExecutorRegistry(toolLists);
    return new TreeServices(
        commandSender,
        querySender,
        () -> routingSnapshot,
        new RetryingSender(commandSender, querySender, () -> routingSnapshot),
        executorRegistry,
        new TaskExecutors(
            new HeldCall(),
            executorRegistry,
            new ToolSchemas(() -> routingSnapshot, toolLists),
            new TaskSchemas(() -> GatewayLimits.DEFAULT)),
        changes,
        () -> now.updateAndGet(time -> time.plusMillis(10)),
        "1");
  }

  private CompletableFuture<?> recorded(Object command) {
    return switch (command) {
      case StartExecution _ -> done(outcomes.remove());
      case TakeOverExecution _ -> done(true);
      case SettleTreeTask _ -> done(false); // it is cancelled
      case EndExecution ended -> {
        sentEnds.add(ended);
        end.complete(ended);
        CompletableFuture<Boolean> ending = endings.poll();
        yield ending == null ? done(true) : ending;
      }
      default -> throw new IllegalStateException("no such command: " + command);
    };
  }

  private CompletableFuture<?> found(Object query) {
    return switch (query) {
      case GetTree _ -> tree;
      case GetWebhook _ -> done(new GetWebhook.Result(Optional.empty(), Optional.empty()));
      case GetCallState _ ->
          done(new GetCallState.Result(true, Optional.of("held"), false, Optional.empty()));
      case GetTreeTask _ -> {
        CompletableFuture<GetTreeTask.Result> read = reads.poll();
        yield read == null
            ? done(
                new GetTreeTask.Result(
                    Optional.of(FlowTasks.cancelled(FlowTasks.draft(TASK), "Cancelled by user"))))
            : read;
      }
      default -> throw new IllegalStateException("no such query: " + query);
    };
  }

  private static <T> CompletableFuture<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }

  private static <T> T gateway(Class<T> type, Function<Object, CompletableFuture<?>> handler) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, _, arguments) -> handler.apply(arguments[0])));
  }

  /** A call that waits for an approval until it is stopped. */
  private final class HeldCall implements ToolCaller {
    @Override
    public UUID nextCallId() {
      throw new IllegalStateException("no call is made");
    }

    @Override
    public CompletableFuture<Reply> call(
        TaskRun taskRun, String params, CallerConnection connection, HoldListener holdListener) {
      throw new IllegalStateException("no call is made");
    }

    @Override
    public CompletableFuture<Reply> await(
        TaskRun taskRun, String heldId, CallerConnection connection, HoldListener holdListener) {
      CompletableFuture<Reply> ended = new CompletableFuture<>();
      CallerConnection.Watch _ =
          connection.onDisconnect(_ -> {
            stopped.add(taskRun.taskId());
            ended.complete(new Reply("", 200, null));
          });
      return ended;
    }
  }
}
