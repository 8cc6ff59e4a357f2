package gatebook.api.flow;

import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.mcp.SourceTools;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.gate.VisibilityGate.VisibilityResult;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.tree.ReadTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The executors that are visible to callers: the tools that they may see, and a built-in one that
 * collects the results of what a task depends on.
 */
final class VisibleExecutors {
  static final String AGGREGATE = "aggregate_results_executor";

  private VisibleExecutors() {}

  /** The visible tool that an executor names, with its prefix or by its source's own name. */
  static Optional<String> tool(String executor, Rules rules) {
    if (source(executor, rules).isPresent()) {
      return Optional.of(executor);
    }
    List<String> prefixed =
        rules.sources().stream()
            .map(Source::prefix)
            .filter(prefix -> !prefix.isEmpty())
            .map(prefix -> prefix + executor)
            .filter(name -> source(name, rules).isPresent())
            .distinct()
            .toList();
    return prefixed.size() == 1 ? Optional.of(prefixed.getFirst()) : Optional.empty();
  }

  /** The source that answers for a tool; empty when callers do not see it. */
  static Optional<Source> source(String tool, Rules rules) {
    return VisibilityGate.evaluate(tool, SourceFamily.TOOLS, rules)
            instanceof VisibilityResult.Shown(var source, _)
        ? Optional.of(source)
        : Optional.empty();
  }

  /** Whether an executor of this name exists for callers. */
  static boolean exists(String executor, Rules rules) {
    return executor.equals(AGGREGATE) || tool(executor, rules).isPresent();
  }

  /** Whether the tool of a task may be called twice with the effect of one call. */
  static boolean isIdempotent(ReadTask task, Rules rules) {
    return TaskExecutors.executor(task)
        .flatMap(executor -> tool(executor, rules))
        .filter(tool -> source(tool, rules).filter(source -> source.isIdempotent(tool)).isPresent())
        .isPresent();
  }

  static CompletableFuture<List<ExecutorInfo>> list(RoutingSnapshot routingSnapshot) {
    Rules rules = routingSnapshot.rules();
    return SourceTools.all(rules, routingSnapshot::upstream)
        .thenApply(all -> {
          List<ExecutorInfo> executors = new ArrayList<>();
          executors.add(
              new ExecutorInfo(
                  AGGREGATE, AGGREGATE, "gatebook", "Collects the results of dependencies"));
          all.forEach(each -> executors.addAll(shown(each, rules)));
          return executors;
        });
  }

  private static List<ExecutorInfo> shown(SourceTools sourceTools, Rules rules) {
    Source source = sourceTools.source();
    return sourceTools.listing() instanceof Upstream.Listing.Tools(var tools)
        ? tools.stream()
            .filter(tool ->
                source(source.prefix() + tool.name(), rules).filter(source::equals).isPresent())
            .map(tool -> executor(source, tool))
            .toList()
        : List.of();
  }

  private static ExecutorInfo executor(Source source, Upstream.Tool tool) {
    return new ExecutorInfo(
        source.prefix() + tool.name(),
        tool.name(),
        source.id(),
        ObjectMembers.of(tool.description()).text("description").orElse(""));
  }
}
