package gatebook.api.flow.executor;

import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.FutureList;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.api.upstream.mcp.SourceTools;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.tree.ExecutorNames;
import gatebook.command.tree.ListedTools;
import gatebook.command.tree.MeantExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The registry of executors: the tools that callers may see, as their sources list them, and a
 * built-in one that collects the results of what a task depends on.
 */
public final class ExecutorRegistry {
  /** The shortest time between two requests to a source for tools that it may have added. */
  private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);

  private final ToolLists toolLists;

  public ExecutorRegistry(ToolLists toolLists) {
    this.toolLists = toolLists;
  }

  /** All that are registered now. */
  public CompletableFuture<List<ExecutorInfo>> all(RoutingSnapshot routingSnapshot) {
    Rules rules = routingSnapshot.rules();
    return SourceTools.listed(
            rules, source -> toolLists.younger(Duration.ZERO, source, routingSnapshot))
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
    return sourceTools.listing() instanceof Listing.Tools(var tools)
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

  /** What the name of an executor means now. */
  public CompletableFuture<MeantExecutor> meant(String executor, RoutingSnapshot routingSnapshot) {
    return listed(List.of(executor), routingSnapshot)
        .thenApply(listed -> ExecutorNames.meant(executor, routingSnapshot.rules(), listed));
  }

  /**
   * The tools that executors may name, as sources list them. When a cached list lacks one of them,
   * the sources are asked again.
   */
  public CompletableFuture<ListedTools> listed(
      Collection<String> executors, RoutingSnapshot routingSnapshot) {
    return listed(
            executors,
            routingSnapshot.rules(),
            source -> toolLists.remembered(source, routingSnapshot))
        .thenCompose(listed ->
            ExecutorNames.faults(executors, routingSnapshot.rules(), listed).isEmpty()
                ? CompletableFuture.completedFuture(listed)
                : listed(
                    executors,
                    routingSnapshot.rules(),
                    source -> toolLists.younger(AGAIN_AFTER, source, routingSnapshot)));
  }

  /** First asks the sources that answer for the names, then all when one may have another. */
  private static CompletableFuture<ListedTools> listed(
      Collection<String> executors,
      Rules rules,
      Function<Source, CompletableFuture<Listing>> lists) {
    List<Source> answering =
        executors.stream()
            .flatMap(it -> VisibilityGate.sourceFor(it, SourceFamily.TOOLS, rules).stream())
            .filter(Source::enabled)
            .distinct()
            .toList();
    return asked(answering, executors, lists)
        .thenCompose(listed -> {
          List<Source> others =
              executors.stream()
                      .map(it -> ExecutorNames.meantByWholeName(it, rules, listed))
                      .allMatch(Optional::isPresent)
                  ? List.of()
                  : rules.sources().stream()
                      .filter(source ->
                          source.enabled()
                              && SourceFamily.TOOLS.includes(source.kind())
                              && !answering.contains(source))
                      .toList();
          return asked(others, executors, lists).thenApply(listed::and);
        });
  }

  private static CompletableFuture<ListedTools> asked(
      List<Source> sources,
      Collection<String> executors,
      Function<Source, CompletableFuture<Listing>> lists) {
    return FutureList.all(
            sources.stream()
                .map(source ->
                    lists
                        .apply(source)
                        .thenApply(listing -> listedTools(source, listing, executors)))
                .toList())
        .thenApply(all -> all.stream().reduce(ListedTools.NONE, ListedTools::and));
  }

  private static ListedTools listedTools(
      Source source, Listing listing, Collection<String> executors) {
    return switch (listing) {
      case Listing.Tools(var tools) ->
          ListedTools.of(source, tools.stream().map(Upstream.Tool::name).toList(), executors);
      case Listing.Failed _ -> ListedTools.NONE;
    };
  }
}
