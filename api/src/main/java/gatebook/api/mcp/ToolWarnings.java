package gatebook.api.mcp;

import gatebook.api.rpc.Members;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.command.gate.Family;
import gatebook.command.policy.ToolSchema;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.RulesRejected.Mistake;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * What policies read of arguments that no tool takes, or that tools take otherwise. Nothing is said
 * unless all sources tell what their tools take: a policy may be meant for the others.
 */
public final class ToolWarnings {

  private ToolWarnings() {}

  /** Asks the sources for their tools. */
  public static CompletableFuture<List<Mistake>> of(
      Rules rules, Function<Source, Upstream> upstreams) {
    List<Source> sources =
        rules.sources().stream()
            .filter(source -> source.enabled() && Family.TOOLS.has(source.kind()))
            .toList();
    List<CompletableFuture<Listing>> asked =
        sources.stream().map(source -> upstreams.apply(source).tools()).toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
        .thenApply(_ -> warnings(rules, sources, asked));
  }

  private static List<Mistake> warnings(
      Rules rules, List<Source> sources, List<CompletableFuture<Listing>> asked) {
    List<ToolSchema> tools = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      switch (asked.get(i).join()) {
        case Listing.Tools(var all) -> {
          for (Upstream.Tool tool : all) {
            tools.add(schema(sources.get(i), tool));
          }
        }
        case Listing.Failed _ -> {
          return List.of();
        }
      }
    }
    return tools.isEmpty() ? List.of() : rules.policies().warningsFor(tools);
  }

  /** A tool that does not say what it takes may take anything. */
  private static ToolSchema schema(Source source, Upstream.Tool tool) {
    return new ToolSchema(
        source.id(), tool.name(), Members.of(tool.description()).json("inputSchema").orElse("{}"));
  }
}
