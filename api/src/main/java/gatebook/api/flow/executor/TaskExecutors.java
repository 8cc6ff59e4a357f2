package gatebook.api.flow.executor;

import gatebook.api.flow.task.TaskDefinition;
import gatebook.api.flow.task.TaskInputs;
import gatebook.api.flow.task.TaskInputs.Checked;
import gatebook.api.flow.task.TaskSchemas;
import gatebook.api.flow.task.TaskSchemas.Checks;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.HoldListener;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.gateway.message.TaskRun;
import gatebook.api.gateway.message.ToolCaller;
import gatebook.api.rpc.JsonStrings;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.tree.ExecutorNames;
import gatebook.command.tree.MeantExecutor;
import gatebook.command.tree.SettleTreeTask.Ending;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.TreeTask;
import gatebook.events.call.Correlation;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The executors of tasks: the tools that callers may see, and a built-in one that collects the
 * results of what a task depends on. A task without an executor only groups others.
 */
public final class TaskExecutors {
  private static final int INVALID_PARAMS = -32602;

  private final ToolCaller toolCaller;
  private final ExecutorRegistry executorRegistry;
  private final ToolSchemas toolSchemas;
  private final TaskSchemas taskSchemas;

  public TaskExecutors(
      ToolCaller toolCaller,
      ExecutorRegistry executorRegistry,
      ToolSchemas toolSchemas,
      TaskSchemas taskSchemas) {
    this.toolCaller = toolCaller;
    this.executorRegistry = executorRegistry;
    this.toolSchemas = toolSchemas;
    this.taskSchemas = taskSchemas;
  }

  /**
   * How a run ended.
   *
   * @param callId the call to the tool; absent when none was made
   */
  public record RunEnd(Ending ending, @Nullable UUID callId) {

    /** This end, with the name of the executor if that failed. */
    public RunEnd named(@Nullable String executor) {
      return callId == null ? this : new RunEnd(ExecutorError.named(ending, executor), callId);
    }

    /** This end, failed when its result is too large to be recorded. */
    public RunEnd limited(int resultBytesMax) {
      return new RunEnd(EndingSize.limited(ending, resultBytesMax), callId);
    }
  }

  /**
   * What one run is given.
   *
   * @param callId the id of the call to its tool; absent when none is to be made
   * @param correlation of that call; absent when it has none
   * @param connection reports when the task is cancelled
   * @param holdListener learns when the call has to wait for an approval
   */
  public record RunContext(
      @Nullable UUID callId,
      @Nullable Correlation correlation,
      CallerConnection connection,
      HoldListener holdListener) {}

  /**
   * One run of a task.
   *
   * @param results those of the completed tasks it depends on
   */
  public record Run(TreeTask task, TaskDefinition definition, DependencyResults results) {
    boolean dependsOnOthers() {
      return !task.content().dependencies().isEmpty();
    }

    TaskInputs inputs(Map<String, String> given) {
      return TaskInputs.of(definition, dependsOnOthers(), given);
    }
  }

  /** Whether a task calls a tool when it runs. */
  public static boolean callsTool(TaskDefinition definition) {
    return definition
        .executor()
        .filter(executor -> !executor.equals(ExecutorNames.AGGREGATE))
        .isPresent();
  }

  public UUID nextCallId() {
    return toolCaller.nextCallId();
  }

  /** Waits for a call that waited for an approval when its process died. */
  public CompletableFuture<RunEnd> await(
      TaskRun taskRun, String heldId, CallerConnection connection, HoldListener holdListener) {
    return toolCaller
        .await(taskRun, heldId, connection, holdListener)
        .thenApply(reply -> new RunEnd(ToolAnswer.ending(reply), taskRun.callId()));
  }

  /**
   * Runs a task. A call of a tool that is hidden by now, or that its source no longer has, is
   * recorded too: a gate denies it, or it is refused after the gates.
   */
  public CompletableFuture<RunEnd> run(
      Run run, RoutingSnapshot routingSnapshot, Instant now, RunContext context) {
    int charsMax = charsMax(routingSnapshot.rules());
    Optional<String> executor = run.definition.executor();
    if (executor.isEmpty()) {
      return done(new Ending.Result("{}"));
    }
    if (executor.get().equals(ExecutorNames.AGGREGATE)) {
      return aggregate(run, charsMax, now);
    }
    return executorRegistry
        .meant(executor.get(), routingSnapshot)
        .thenCompose(meant ->
            meant instanceof MeantExecutor.Tool(var tool, _)
                ? toolSchemas
                    .of(tool)
                    .thenCompose(toolSchema -> checked(run, toolSchema, charsMax))
                    .thenCompose(checked -> call(run, tool, checked, context))
                : call(
                        run,
                        executor.get(),
                        run.inputs(Map.of()).given(),
                        ExecutorNames.fault(executor.get(), meant).orElseThrow(),
                        context)
                    .thenApply(ending -> new RunEnd(ending, context.callId)));
  }

  /** The results that one task gets from others are together at most as large as its own may be. */
  private static int charsMax(Rules rules) {
    return rules.limits().getInt(Limit.TREE_RESULT_BYTES_MAX);
  }

  /** Checks the inputs by the schema of the task and by that of its tool. */
  private CompletableFuture<Checked> checked(Run run, Optional<String> toolSchema, int charsMax) {
    Optional<String> taskSchema = run.definition.inputSchema();
    if (taskSchema.isEmpty() && toolSchema.isEmpty()) {
      return CompletableFuture.completedFuture(accepted(run)); // waits for no checks of others
    }
    Checks checks = taskSchemas.checks();
    return taskSchemas
        .run(() -> checkedWithoutResults(run, toolSchema, checks))
        .thenCompose(checked ->
            checked
                .map(CompletableFuture::completedFuture)
                .orElseGet(() -> checkedWithResults(run, toolSchema, charsMax, checks)));
  }

  private static Checked accepted(Run run) {
    return new Checked.Accepted(run.inputs(Map.of()).given());
  }

  /** Empty when a schema sees the results of what the task depends on: they are got before. */
  private static Optional<Checked> checkedWithoutResults(
      Run run, Optional<String> toolSchema, Checks checks) {
    Optional<String> taskSchema = run.definition.inputSchema();
    return run.dependsOnOthers()
            && TaskInputs.wantsResults(run.definition.inputs(), taskSchema, toolSchema, checks)
        ? Optional.empty()
        : Optional.of(run.inputs(Map.of()).check(taskSchema, toolSchema, checks));
  }

  private CompletableFuture<Checked> checkedWithResults(
      Run run, Optional<String> toolSchema, int charsMax, Checks checks) {
    return run.results
        .get(charsMax)
        .thenCompose(results ->
            results
                .map(it ->
                    taskSchemas.run(() ->
                        run.inputs(it).check(run.definition.inputSchema(), toolSchema, checks)))
                .orElseGet(() -> CompletableFuture.completedFuture(tooLarge(charsMax))));
  }

  private static Checked tooLarge(int charsMax) {
    Problem problem =
        new Problem(
            "inputs." + TaskInputs.DEPENDENCIES,
            "Too large",
            "at most %d characters".formatted(charsMax),
            null,
            List.of());
    return new Checked.Rejected(
        "The results of the tasks that it depends on have more than %d characters"
            .formatted(charsMax),
        List.of(problem));
  }

  private static CompletableFuture<RunEnd> done(Ending ending) {
    return CompletableFuture.completedFuture(new RunEnd(ending, null));
  }

  private CompletableFuture<RunEnd> aggregate(Run run, int charsMax, Instant now) {
    return run.results
        .get(charsMax)
        .thenCompose(results ->
            results
                .map(it -> checkedOfTask(run, it).thenApply(checked -> aggregate(checked, it, now)))
                .orElseGet(() ->
                    CompletableFuture.completedFuture(
                        aggregate(tooLarge(charsMax), Map.of(), now))))
        .thenCompose(TaskExecutors::done);
  }

  /** Checks the inputs of a task without a tool by its own schema. */
  private CompletableFuture<Checked> checkedOfTask(Run run, Map<String, String> results) {
    Optional<String> taskSchema = run.definition.inputSchema();
    return taskSchema.isEmpty()
        ? CompletableFuture.completedFuture(accepted(run))
        : taskSchemas.run(
            () -> run.inputs(results).check(taskSchema, Optional.empty(), taskSchemas.checks()));
  }

  private static Ending aggregate(Checked checked, Map<String, String> results, Instant now) {
    return switch (checked) {
      case Checked.Accepted _ -> new Ending.Result(aggregate(results, now));
      case Checked.Rejected(var sentence, _) -> new Ending.Failure(sentence, null);
    };
  }

  private static String aggregate(Map<String, String> results, Instant now) {
    StringBuilder json = new StringBuilder("{\"summary\":");
    json.append(JsonStrings.quoted("Aggregated %d results".formatted(results.size())));
    json.append(",\"timestamp\":").append(JsonStrings.quoted(now.toString()));
    json.append(",\"results\":{");
    String separator = "";
    for (Map.Entry<String, String> result : results.entrySet()) {
      json.append(separator).append(JsonStrings.quoted(result.getKey())).append(':');
      json.append(result.getValue());
      separator = ",";
    }
    return json.append("},\"result_count\":").append(results.size()).append('}').toString();
  }

  /** Calls the tool; with wrong inputs, the gates alone. */
  private CompletableFuture<RunEnd> call(
      Run run, String tool, Checked checked, RunContext context) {
    return switch (checked) {
      case Checked.Accepted(var arguments) ->
          call(run, tool, arguments, null, context)
              .thenApply(ending -> new RunEnd(ending, context.callId));
      case Checked.Rejected(var sentence, var problems) ->
          call(run, tool, run.inputs(Map.of()).given(), new InvalidParams(problems), context)
              .thenApply(ending -> new RunEnd(rejected(ending, sentence), context.callId));
    };
  }

  /** A denial comes before wrong inputs; otherwise the sentence says what is wrong with them. */
  private static Ending rejected(Ending ending, String sentence) {
    return ending instanceof Ending.Failure(_, Integer code)
            && code != null
            && code == INVALID_PARAMS
        ? new Ending.Failure(sentence, code)
        : ending;
  }

  private CompletableFuture<Ending> call(
      Run run, String tool, String arguments, @Nullable Fault flaw, RunContext context) {
    UUID callId = Objects.requireNonNull(context.callId, "a task with a tool makes a call");
    TaskKey key = run.task.key();
    String params = "{\"name\":%s,\"arguments\":%s}".formatted(JsonStrings.quoted(tool), arguments);
    return toolCaller
        .call(
            new TaskRun(key.owner(), key.taskId(), callId, context.correlation, flaw),
            params,
            context.connection,
            context.holdListener)
        .thenApply(ToolAnswer::ending);
  }
}
