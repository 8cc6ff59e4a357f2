package gatebook.api.flow;

import gatebook.api.flow.executor.ExecutorRegistry;
import gatebook.api.flow.executor.RetryingSender;
import gatebook.api.flow.executor.TaskExecutors;
import gatebook.api.flow.executor.ToolLists;
import gatebook.api.flow.executor.ToolSchemas;
import gatebook.api.flow.executor.TreeServices;
import gatebook.api.flow.read.FlowMethod;
import gatebook.api.flow.read.FlowReading;
import gatebook.api.flow.read.FlowRequestReader;
import gatebook.api.flow.run.TreeRunner;
import gatebook.api.flow.run.TreeStore;
import gatebook.api.flow.run.TreeWebhooks;
import gatebook.api.flow.task.FlowCaller;
import gatebook.api.flow.task.FlowContext;
import gatebook.api.flow.task.FlowProfile;
import gatebook.api.flow.task.TaskSchemas;
import gatebook.api.flow.webhook.WebhookConfigJson;
import gatebook.api.flow.webhook.WebhookServices;
import gatebook.api.gateway.CommandSender;
import gatebook.api.gateway.QuerySender;
import gatebook.api.gateway.RecordedTaskChanges;
import gatebook.api.gateway.ViewReader;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.gateway.message.ToolCaller;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.axon.CommandConfiguration;
import gatebook.command.call.Intent;
import gatebook.events.call.Dialect;
import gatebook.events.call.Principal;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.query.trees.OpenExecution;
import gatebook.query.trees.OpenWebhook;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The methods of the task-flow protocol, in two profiles. */
public final class FlowMethods implements DialectHandler, AutoCloseable {
  /** Params without this name, which may be escaped, have no schema. */
  private static final String SCHEMA = "input_schema";

  private static final String ESCAPE = "\\u00";

  /** A request may create thousands of tasks: the journal's threads do not read it. */
  private static final Executor MAY_COMPUTE = CommandConfiguration.OFF_THE_SENDERS_THREAD;

  /** For what is to be redecided: the gateway makes these calls without this handler. */
  private final TaskRunMethods taskRuns = new TaskRunMethods();

  private final FlowRequestReader requestReader;
  private final TaskSchemas taskSchemas;
  private final TreeRequests treeRequests;
  private final TreeRunner treeRunner;
  private final TreeWebhooks treeWebhooks;

  private FlowMethods(
      FlowRequestReader requestReader,
      TaskSchemas taskSchemas,
      TreeRequests treeRequests,
      TreeRunner treeRunner,
      TreeWebhooks treeWebhooks) {
    this.requestReader = requestReader;
    this.taskSchemas = taskSchemas;
    this.treeWebhooks = treeWebhooks;
    this.treeRunner = treeRunner;
    this.treeRequests = treeRequests;
  }

  /**
   * The methods, which run trees in this process.
   *
   * @param toolCaller calls the tools of tasks
   * @param recordedTaskChanges of tasks whose trees run here
   */
  public static FlowMethods of(
      CommandSender commandSender,
      QuerySender querySender,
      ViewReader viewReader,
      Supplier<RoutingSnapshot> routingSnapshots,
      ToolCaller toolCaller,
      RecordedTaskChanges recordedTaskChanges,
      MeterRegistry meters,
      InstantSource clock,
      String version) {
    TaskSchemas taskSchemas = new TaskSchemas(() -> routingSnapshots.get().rules().limits());
    ToolLists toolLists = new ToolLists(clock);
    ExecutorRegistry executorRegistry = new ExecutorRegistry(toolLists);
    TreeServices services =
        new TreeServices(
            commandSender,
            querySender,
            routingSnapshots,
            new RetryingSender(commandSender, querySender, routingSnapshots),
            executorRegistry,
            new TaskExecutors(
                toolCaller,
                executorRegistry,
                new ToolSchemas(routingSnapshots, toolLists),
                taskSchemas),
            recordedTaskChanges,
            clock,
            version);
    TreeStore treeStore = new TreeStore(services);
    TreeWebhooks treeWebhooks = new TreeWebhooks(services, WebhookServices.overHttp(meters));
    TreeRunner treeRunner = new TreeRunner(services, treeWebhooks);
    FlowRequestReader requestReader = new FlowRequestReader(taskSchemas);
    return new FlowMethods(
        requestReader,
        taskSchemas,
        new TreeRequests(
            services,
            treeStore,
            new TaskLists(viewReader, treeStore),
            treeRunner,
            requestReader,
            taskSchemas),
        treeRunner,
        treeWebhooks);
  }

  @Override
  public void close() {
    treeRunner.close();
  }

  /** Takes over an execution from a process that died. */
  public CompletableFuture<Void> takeOver(OpenExecution open) {
    return treeRunner.takeOver(
        new TreeRunner.Execution(open.treeId(), open.executionId(), open.owner(), open.taskId()),
        open.startedAt());
  }

  /** Takes over a webhook whose execution ended in a process that died. */
  public CompletableFuture<Void> takeOver(OpenWebhook open) {
    return treeWebhooks.takeOver(open);
  }

  @Override
  public Dialect dialect() {
    return Dialect.FLOW;
  }

  @Override
  public Intent intent(DialectCall dialectCall) {
    if (TaskRunMethods.isTaskRun(dialectCall)) {
      return taskRuns.intent(dialectCall);
    }
    return FlowMethod.of(dialectCall.method()).isPresent()
        ? new Intent.AnswerHere()
        : new Intent.Unservable(new MethodNotFound(dialectCall.method()));
  }

  private static FlowProfile profile(DialectCall dialectCall) {
    return FlowProfile.of(dialectCall.version());
  }

  @Override
  public Optional<String> arguments(DialectCall dialectCall) {
    return TaskRunMethods.isTaskRun(dialectCall)
        ? taskRuns.arguments(dialectCall)
        : Optional.ofNullable(dialectCall.params())
            .map(params -> WebhookConfigJson.hiddenIn(params, dialectCall.rules()));
  }

  @Override
  public CompletableFuture<Ended> answer(DialectCall dialectCall, AnswerContext answerContext) {
    Supplier<FlowReading> reading =
        () ->
            requestReader.read(
                profile(dialectCall),
                dialectCall.method(),
                dialectCall.params(),
                caller(answerContext),
                answerContext.snapshot().rules().limits());
    return (mayHaveSchema(dialectCall.params())
            ? taskSchemas.run(reading)
            : CompletableFuture.supplyAsync(reading, MAY_COMPUTE))
        .thenCompose(it -> answer(it, dialectCall, answerContext));
  }

  private static boolean mayHaveSchema(@Nullable String params) {
    return params != null && (params.contains(SCHEMA) || params.contains(ESCAPE));
  }

  private static FlowCaller caller(AnswerContext answerContext) {
    String principal = answerContext.principal();
    return principal.equals(Principal.ANONYMOUS.name())
        ? FlowCaller.anonymous()
        : FlowCaller.named(principal);
  }

  private CompletableFuture<Ended> answer(
      FlowReading reading, DialectCall dialectCall, AnswerContext answerContext) {
    return switch (reading) {
      case FlowReading.Understood(var request) ->
          treeRequests.answer(
              request,
              new FlowContext(
                  profile(dialectCall),
                  caller(answerContext),
                  answerContext.principal(),
                  answerContext.callId(),
                  answerContext.correlation(),
                  answerContext.snapshot(),
                  answerContext.channel()));
      case FlowReading.Rejected(var fault) -> failure(fault);
      case FlowReading.NoSuchMethod() -> failure(new MethodNotFound(dialectCall.method()));
    };
  }

  private static CompletableFuture<Ended> failure(Fault fault) {
    return CompletableFuture.completedFuture(new Ended.Failure(fault));
  }
}
