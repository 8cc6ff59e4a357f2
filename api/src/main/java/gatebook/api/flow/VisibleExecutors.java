package gatebook.api.flow;

import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.mcp.SourceTools;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.tree.ExecutorNames;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The executors that are visible to callers: the tools that they may see, and a built-in one that
 * collects the results of what a task depends on.
 */
final class VisibleExecutors {
  private VisibleExecutors() {}

  /** Whether the tool of an executor may be called twice with the effect of one call. */
  static boolean isIdempotent(String executor, Rules rules) {
    return ExecutorNames.tool(executor, rules)
        .filter(tool ->
            ExecutorNames.source(tool, rules)
                .filter(source -> source.isIdempotent(tool))
                .isPresent())
        .isPresent();
  }

  static CompletableFuture<List<ExecutorInfo>> list(RoutingSnapshot routingSnapshot) {
    Rules rules = routingSnapshot.rules();
    return SourceTools.all(rules, routingSnapshot::upstream)
        .thenApply(all -> {
          List<ExecutorInfo> executors = new ArrayList<>();
          executors.add(
              new ExecutorInfo(
                  ExecutorNames.AGGREGATE,
                  ExecutorNames.AGGREGATE,
                  "gatebook",
                  "Collects the results of dependencies"));
          all.forEach(each -> executors.addAll(shown(each, rules)));
          return executors;
        });
  }

  private static List<ExecutorInfo> shown(SourceTools sourceTools, Rules rules) {
    Source source = sourceTools.source();
    return sourceTools.listing() instanceof Upstream.Listing.Tools(var tools)
        ? tools.stream()
            .filter(tool ->
                ExecutorNames.source(source.prefix() + tool.name(), rules)
                    .filter(source::equals)
                    .isPresent())
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
