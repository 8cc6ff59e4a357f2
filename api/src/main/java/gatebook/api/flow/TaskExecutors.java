package gatebook.api.flow;

import gatebook.api.flow.TaskInputs.Checked;
import gatebook.api.gateway.CallerConnection;
import gatebook.api.gateway.HoldListener;
import gatebook.api.gateway.TaskRun;
import gatebook.api.rpc.JsonStrings;
import gatebook.command.rules.Rules;
import gatebook.command.tree.ExecutorNames;
import gatebook.command.tree.SettleTreeTask.Ending;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.TreeTask;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.InvalidParams;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The executors of tasks: the tools that callers may see, and a built-in one that collects the
 * results of what a task depends on. A task without an executor only groups others.
 */
final class TaskExecutors {
  private static final int INVALID_PARAMS = -32602;

  private final ToolCaller toolCaller;
  private final ToolSchemas toolSchemas;
  private final TaskSchemas taskSchemas;

  TaskExecutors(ToolCaller toolCaller, ToolSchemas toolSchemas, TaskSchemas taskSchemas) {
    this.toolCaller = toolCaller;
    this.toolSchemas = toolSchemas;
    this.taskSchemas = taskSchemas;
  }

  /**
   * How a run ended.
   *
   * @param callId the call to the tool; absent when none was made
   */
  record RunEnd(Ending ending, @Nullable UUID callId) {

    /** This end, with the name of the executor if that failed. */
    RunEnd named(@Nullable String executor) {
      return callId == null ? this : new RunEnd(ExecutorError.named(ending, executor), callId);
    }

    /** This end, failed when its result is too large to be recorded. */
    RunEnd limited(int resultBytesMax) {
      return new RunEnd(EndingSize.limited(ending, resultBytesMax), callId);
    }
  }

  /**
   * What one run is given.
   *
   * @param callId the id of the call to its tool; absent when none is to be made
   * @param connection reports when the task is cancelled
   * @param holdListener learns when the call has to wait for an approval
   */
  record RunContext(
      @Nullable UUID callId, CallerConnection connection, HoldListener holdListener) {}

  /**
   * One run of a task.
   *
   * @param results those of the completed tasks it depends on, by id
   */
  record Run(TreeTask task, TaskDefinition definition, Map<String, String> results) {
    TaskInputs inputs() {
      boolean dependsOnOthers = !task.content().dependencies().isEmpty();
      return TaskInputs.of(definition, dependsOnOthers, results);
    }
  }

  /** Whether a task calls a tool when it runs. */
  static boolean callsTool(TaskDefinition definition) {
    return definition
        .executor()
        .filter(executor -> !executor.equals(ExecutorNames.AGGREGATE))
        .isPresent();
  }

  UUID nextCallId() {
    return toolCaller.nextCallId();
  }

  /** Waits for a call that waited for an approval when its process died. */
  CompletableFuture<RunEnd> await(
      TaskRun taskRun, String heldId, CallerConnection connection, HoldListener holdListener) {
    return toolCaller
        .await(taskRun, heldId, connection, holdListener)
        .thenApply(reply -> new RunEnd(ToolAnswer.ending(reply), taskRun.callId()));
  }

  /**
   * Runs a task. A tool that callers do not see any more is called, too: then a gate denies the
   * call, and the denial is recorded.
   */
  CompletableFuture<RunEnd> run(Run run, Rules rules, Instant now, RunContext context) {
    Optional<String> executor = run.definition.executor();
    if (executor.isEmpty()) {
      return done(new Ending.Result("{}"));
    }
    if (executor.get().equals(ExecutorNames.AGGREGATE)) {
      return checked(run, Optional.empty())
          .thenCompose(checked -> done(aggregate(checked, run.results, now)));
    }
    String tool = ExecutorNames.tool(executor.get(), rules).orElse(executor.get());
    return toolSchemas
        .of(tool)
        .thenCompose(toolSchema -> checked(run, toolSchema))
        .thenCompose(checked -> call(run, tool, checked, context));
  }

  /**
   * Checks the inputs by the schema of the task and by that of its tool. Without any, nothing waits
   * for the checks of others.
   */
  private CompletableFuture<Checked> checked(Run run, Optional<String> toolSchema) {
    Optional<String> taskSchema = run.definition.inputSchema();
    Supplier<Checked> check =
        () -> run.inputs().check(taskSchema, toolSchema, taskSchemas.checks());
    return taskSchema.isEmpty() && toolSchema.isEmpty()
        ? CompletableFuture.completedFuture(check.get())
        : taskSchemas.run(check);
  }

  private static CompletableFuture<RunEnd> done(Ending ending) {
    return CompletableFuture.completedFuture(new RunEnd(ending, null));
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
          call(run, tool, run.inputs().given(), new InvalidParams(problems), context)
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
            new TaskRun(key.owner(), key.taskId(), callId, flaw),
            params,
            context.connection,
            context.holdListener)
        .thenApply(ToolAnswer::ending);
  }
}
