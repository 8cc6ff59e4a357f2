package gatebook.api.mcp;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.command.gate.SourceFamily;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;

/** What one source offers as its tools. */
record SourceTools(Source source, Listing listing) {

  /**
   * Asks every source that is enabled and may have tools, all at once, in the order of the rules.
   */
  static CompletableFuture<List<SourceTools>> all(
      Rules rules, Function<Source, Upstream> upstreams) {
    List<Source> sources =
        rules.sources().stream()
            .filter(source -> source.enabled() && SourceFamily.TOOLS.has(source.kind()))
            .toList();
    List<CompletableFuture<Listing>> asked =
        sources.stream().map(source -> upstreams.apply(source).tools()).toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
        .thenApply(_ ->
            IntStream.range(0, sources.size())
                .mapToObj(i -> new SourceTools(sources.get(i), asked.get(i).join()))
                .toList());
  }
}
