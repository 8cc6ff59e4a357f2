package gatebook.api.mcp;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.api.upstream.mcp.SourceTools;
import gatebook.command.policy.check.ToolSchema;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.RulesRejected.Mistake;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Warnings about policies that read arguments which no tool schema has, or has with another type.
 * There are none unless all sources list their tools: a policy may be meant for a missing source.
 */
public final class ToolSchemaWarnings {

  private ToolSchemaWarnings() {}

  /** Lists the tools of all sources and checks the policies against their schemas. */
  public static CompletableFuture<List<Mistake>> of(
      Rules rules, Function<Source, Upstream> upstreams) {
    return SourceTools.all(rules, upstreams).thenApply(sourceTools -> warnings(rules, sourceTools));
  }

  private static List<Mistake> warnings(Rules rules, List<SourceTools> sourceTools) {
    List<ToolSchema> tools = new ArrayList<>();
    for (SourceTools each : sourceTools) {
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

  /** A tool without a schema may take any argument. */
  private static ToolSchema schema(Source source, Upstream.Tool tool) {
    return new ToolSchema(
        source.id(),
        tool.name(),
        ObjectMembers.of(tool.description()).json("inputSchema").orElse("{}"));
  }
}
