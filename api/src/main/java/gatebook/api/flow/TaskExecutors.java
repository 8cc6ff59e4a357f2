package gatebook.api.flow;

import gatebook.api.gateway.CallerConnection;
import gatebook.api.gateway.TaskRun;
import gatebook.api.rpc.JsonStrings;
import gatebook.command.rules.Rules;
import gatebook.command.tree.ExecutorNames;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.SettleTreeTask.Ending;
import gatebook.command.tree.TaskKey;
import java.time.Instant;
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
final class TaskExecutors {
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
   * @param onHeld runs when the call has to wait for an approval
   */
  record RunContext(@Nullable UUID callId, CallerConnection connection, Runnable onHeld) {}

  /** Whether a task calls a tool when it runs. */
  static boolean callsTool(ReadTask task) {
    return executor(task).filter(executor -> !executor.equals(ExecutorNames.AGGREGATE)).isPresent();
  }

  /** The executor that a task names; empty when it names none. */
  static Optional<String> executor(ReadTask task) {
    return task.definition() == null
        ? Optional.empty()
        : TaskDefinition.of(task.definition()).executor();
  }

  UUID nextCallId() {
    return toolCaller.nextCallId();
  }

  /** Waits for a call that waited for an approval when its process died. */
  CompletableFuture<RunEnd> await(TaskRun taskRun, String heldId, CallerConnection connection) {
    return toolCaller
        .await(taskRun, heldId, connection)
        .thenApply(reply -> new RunEnd(ToolAnswer.ending(reply), taskRun.callId()));
  }

  /**
   * Runs a task.
   *
   * @param results those of the completed tasks it depends on, by id
   */
  CompletableFuture<RunEnd> run(
      ReadTask task, Map<String, String> results, Rules rules, Instant now, RunContext context) {
    if (task.definition() == null) {
      return done(new Ending.Failure("the task's definition cannot be read any more", null));
    }
    TaskDefinition definition = TaskDefinition.of(task.definition());
    Optional<String> executor = definition.executor();
    if (executor.isEmpty()) {
      return done(new Ending.Result("{}"));
    }
    if (executor.get().equals(ExecutorNames.AGGREGATE)) {
      return done(new Ending.Result(aggregate(results, now)));
    }
    return ExecutorNames.tool(executor.get(), rules)
        .map(tool -> check(task, tool, definition, results, context))
        .orElseGet(() ->
            done(new Ending.Failure("Executor '%s' not found".formatted(executor.get()), null)));
  }

  /** Calls the tool if the inputs meet the schemas of the task and of the tool. */
  private CompletableFuture<RunEnd> check(
      ReadTask task,
      String tool,
      TaskDefinition definition,
      Map<String, String> results,
      RunContext context) {
    boolean dependsOnOthers = !task.task().content().dependencies().isEmpty();
    TaskInputs inputs = TaskInputs.of(definition, dependsOnOthers, results);
    return toolSchemas
        .of(tool)
        .thenCompose(toolSchema ->
            taskSchemas.run(
                () -> inputs.check(definition.inputSchema(), toolSchema, taskSchemas.checks())))
        .thenCompose(checked ->
            switch (checked) {
              case TaskInputs.Checked.Accepted(var arguments) ->
                  call(task, tool, arguments, context);
              case TaskInputs.Checked.Rejected(var sentence) ->
                  done(new Ending.Failure(sentence, null));
            });
  }

  private static CompletableFuture<RunEnd> done(Ending ending) {
    return CompletableFuture.completedFuture(new RunEnd(ending, null));
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

  private CompletableFuture<RunEnd> call(
      ReadTask task, String tool, String arguments, RunContext context) {
    UUID callId = Objects.requireNonNull(context.callId, "a task with a tool makes a call");
    TaskKey key = task.task().key();
    String params = "{\"name\":%s,\"arguments\":%s}".formatted(JsonStrings.quoted(tool), arguments);
    return toolCaller
        .call(
            new TaskRun(key.owner(), key.taskId(), callId),
            params,
            context.connection,
            context.onHeld)
        .thenApply(reply -> new RunEnd(ToolAnswer.ending(reply), callId));
  }
}
