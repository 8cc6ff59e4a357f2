package gatebook.api.upstream.mcp;

import gatebook.api.upstream.FutureList;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.command.gate.SourceFamily;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The tools of one source, or why they could not be listed. */
public record SourceTools(Source source, Listing listing) {

  /** Lists the tools of every enabled source that may have some, concurrently; in rules order. */
  public static CompletableFuture<List<SourceTools>> all(
      Rules rules, Function<Source, Upstream> upstreams) {
    return listed(rules, source -> upstreams.apply(source).listTools());
  }

  /** The same, with lists that may have been there before. */
  public static CompletableFuture<List<SourceTools>> listed(
      Rules rules, Function<Source, CompletableFuture<Listing>> lists) {
    return FutureList.all(
        rules.sources().stream()
            .filter(source -> source.enabled() && SourceFamily.TOOLS.includes(source.kind()))
            .map(source ->
                lists.apply(source).thenApply(listing -> new SourceTools(source, listing)))
            .toList());
  }
}
