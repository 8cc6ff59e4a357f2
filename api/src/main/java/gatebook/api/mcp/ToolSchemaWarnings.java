package gatebook.api.mcp;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Listing;
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
public final class ToolSchemaWarnings {

  private ToolSchemaWarnings() {}

  /** Asks the sources for their tools. */
  public static CompletableFuture<List<Mistake>> of(
      Rules rules, Function<Source, Upstream> upstreams) {
    return SourceTools.all(rules, upstreams).thenApply(offers -> warnings(rules, offers));
  }

  private static List<Mistake> warnings(Rules rules, List<SourceTools> offers) {
    List<ToolSchema> tools = new ArrayList<>();
    for (SourceTools each : offers) {
      switch (each.listing()) {
        case Listing.Tools(var all) -> {
          for (Upstream.Tool tool : all) {
            tools.add(schema(each.source(), tool));
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
        source.id(),
        tool.name(),
        ObjectMembers.of(tool.description()).json("inputSchema").orElse("{}"));
  }
}
