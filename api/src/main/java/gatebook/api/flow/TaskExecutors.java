package gatebook.api.flow;

import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.gateway.TaskRun;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.gate.VisibilityGate.VisibilityResult;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.SettleTreeTask.Ending;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The executors of tasks: the tools that callers may see, and a built-in one that collects the
 * results of what a task depends on. A task without an executor only groups others.
 */
final class TaskExecutors {
  static final String AGGREGATE = "aggregate_results_executor";

  private final ToolCaller toolCaller;

  TaskExecutors(ToolCaller toolCaller) {
    this.toolCaller = toolCaller;
  }

  /**
   * How a run ended.
   *
   * @param callId the call to the tool; absent when none was made
   */
  record RunEnd(Ending ending, @Nullable UUID callId) {}

  /** The visible tool that an executor names, with its prefix or by its source's own name. */
  static Optional<String> tool(String executor, Rules rules) {
    if (isShown(executor, rules)) {
      return Optional.of(executor);
    }
    List<String> prefixed =
        rules.sources().stream()
            .map(Source::prefix)
            .filter(prefix -> !prefix.isEmpty())
            .map(prefix -> prefix + executor)
            .filter(name -> isShown(name, rules))
            .distinct()
            .toList();
    return prefixed.size() == 1 ? Optional.of(prefixed.getFirst()) : Optional.empty();
  }

  private static boolean isShown(String name, Rules rules) {
    return VisibilityGate.evaluate(name, SourceFamily.TOOLS, rules)
        instanceof VisibilityResult.Shown;
  }

  /** Whether an executor of this name exists for callers. */
  static boolean exists(String executor, Rules rules) {
    return executor.equals(AGGREGATE) || tool(executor, rules).isPresent();
  }

  /** The executors for callers: the tools that they may see, and the built-in one. */
  static CompletableFuture<List<ExecutorInfo>> list(RoutingSnapshot routingSnapshot) {
    Rules rules = routingSnapshot.rules();
    List<Source> sources =
        rules.sources().stream()
            .filter(source -> source.enabled() && SourceFamily.TOOLS.includes(source.kind()))
            .toList();
    return FutureList.all(
            sources.stream().map(source -> routingSnapshot.upstream(source).listTools()).toList())
        .thenApply(listings -> {
          List<ExecutorInfo> executors = new ArrayList<>();
          executors.add(
              new ExecutorInfo(
                  AGGREGATE, AGGREGATE, "gatebook", "Collects the results of dependencies"));
          for (int i = 0; i < sources.size(); i++) {
            if (listings.get(i) instanceof Upstream.Listing.Tools(var tools)) {
              executors.addAll(shown(sources.get(i), tools, rules));
            }
          }
          return executors;
        });
  }

  private static List<ExecutorInfo> shown(Source source, List<Upstream.Tool> tools, Rules rules) {
    return tools.stream()
        .filter(tool -> isShown(source.prefix() + tool.name(), rules))
        .map(tool ->
            new ExecutorInfo(
                source.prefix() + tool.name(),
                tool.name(),
                source.id(),
                ObjectMembers.of(tool.description()).text("description").orElse("")))
        .toList();
  }

  /**
   * Runs a task.
   *
   * @param results those of the completed tasks it depends on, by id
   */
  CompletableFuture<RunEnd> run(
      ReadTask task,
      Map<String, String> results,
      Rules rules,
      Instant now,
      RunConnection connection) {
    ObjectMembers definition = ObjectMembers.of(task.definition());
    Optional<String> executor =
        definition
            .members("params")
            .text("executor_id")
            .or(() -> definition.members("schemas").text("method"));
    if (executor.isEmpty()) {
      return done(new Ending.Result("{}"));
    }
    if (executor.get().equals(AGGREGATE)) {
      return done(new Ending.Result(aggregate(results, now)));
    }
    return tool(executor.get(), rules)
        .map(tool -> call(task, tool, inputs(definition), connection))
        .orElseGet(() ->
            done(new Ending.Failure("Executor '%s' not found".formatted(executor.get()), null)));
  }

  private static String inputs(ObjectMembers definition) {
    return definition.json("inputs").filter(json -> json.startsWith("{")).orElse("{}");
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
      ReadTask task, String tool, String arguments, RunConnection connection) {
    TaskRun taskRun = new TaskRun(task.task().key().owner(), task.task().key().taskId());
    String params = "{\"name\":%s,\"arguments\":%s}".formatted(JsonStrings.quoted(tool), arguments);
    Gateway.OwnCall call = toolCaller.call(taskRun, params, connection);
    return call.reply().thenApply(reply -> new RunEnd(ToolAnswer.ending(reply), call.callId()));
  }
}
