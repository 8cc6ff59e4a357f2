package gatebook.api.mcp;

import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.rpc.NameRewrite;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.gate.VisibilityGate.Sight;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The tools of all sources as one list, in the order of the rules, each by the name it is called
 * here, and none that gate 1 hides. Of a source that cannot be asked none is listed, and the list
 * says that it is partial; if nobody else can be asked either, the list is its failure.
 */
public final class ToolListMerge {

  private ToolListMerge() {}

  public static CompletableFuture<Ended> of(RoutingSnapshot routingSnapshot) {
    Rules rules = routingSnapshot.rules();
    return SourceTools.all(rules, routingSnapshot::upstream)
        .thenApply(offers -> merged(rules, offers));
  }

  private static Ended merged(Rules rules, List<SourceTools> offers) {
    List<String> tools = new ArrayList<>();
    List<Ended> failures = new ArrayList<>();
    MissingSources missing = new MissingSources("tools/list", null);
    for (SourceTools each : offers) {
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
    return failures.size() == offers.size() && !failures.isEmpty()
        ? failures.getFirst()
        : missing.answer("{\"tools\":[%s]}".formatted(String.join(",", tools)));
  }

  private static Stream<String> shown(Rules rules, Source source, List<Upstream.Tool> tools) {
    return tools.stream()
        .filter(tool ->
            VisibilityGate.of(source.prefix() + tool.name(), SourceFamily.TOOLS, rules)
                    instanceof Sight.Shown(var answering, _)
                && answering.equals(source))
        .map(tool ->
            source.prefix().isEmpty()
                ? tool.description()
                : NameRewrite.renamed(tool.description(), "name", source.prefix() + tool.name()));
  }
}
