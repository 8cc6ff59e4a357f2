package gatebook.api.mcp;

import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.rpc.NameRewrite;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.api.upstream.mcp.SourceTools;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.gate.VisibilityGate.VisibilityResult;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Merges the tools of all sources into one list in the order of the rules, with the names that
 * callers use and without those that gate 1 hides. If a source cannot be asked, the list is marked
 * as partial; if no source can be asked, the result is the first failure.
 */
public final class ToolListMerge {

  private ToolListMerge() {}

  public static CompletableFuture<Ended> of(RoutingSnapshot routingSnapshot) {
    Rules rules = routingSnapshot.rules();
    return SourceTools.all(rules, routingSnapshot::upstream)
        .thenApply(sourceTools -> merged(rules, sourceTools));
  }

  private static Ended merged(Rules rules, List<SourceTools> sourceTools) {
    List<String> tools = new ArrayList<>();
    List<Ended> failures = new ArrayList<>();
    MissingSources missing = new MissingSources();
    for (SourceTools each : sourceTools) {
      Source source = each.source();
      switch (each.listing()) {
        case Listing.Tools(var all) -> shown(rules, source, all).forEach(tools::add);
        case Listing.Failed(var failure) -> {
          Ended failed = Upstream.ended(source, failure);
          failures.add(failed);
          missing.add(source, failed);
        }
      }
    }
    return failures.size() == sourceTools.size() && !failures.isEmpty()
        ? failures.getFirst()
        : missing.answer("{\"tools\":[%s]}".formatted(String.join(",", tools)));
  }

  private static Stream<String> shown(Rules rules, Source source, List<Upstream.Tool> tools) {
    return tools.stream()
        .filter(tool ->
            VisibilityGate.evaluate(source.prefix() + tool.name(), SourceFamily.TOOLS, rules)
                    instanceof VisibilityResult.Shown(var answering, _)
                && answering.equals(source))
        .map(tool ->
            source.prefix().isEmpty()
                ? tool.description()
                : NameRewrite.renamed(tool.description(), "name", source.prefix() + tool.name()));
  }
}
