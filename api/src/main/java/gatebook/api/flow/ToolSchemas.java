package gatebook.api.flow;

import gatebook.api.gateway.RememberedTools;
import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.tree.ExecutorNames;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The schemas of tools, from the lists of their sources. A list is remembered for some time and
 * while the rules stay the same, for a shorter time when it could not be had.
 */
final class ToolSchemas {
  private static final Duration FAILED_MAX = Duration.ofSeconds(5);

  private final Supplier<RoutingSnapshot> routingSnapshots;
  private final RememberedTools rememberedTools;

  ToolSchemas(Supplier<RoutingSnapshot> routingSnapshots, InstantSource clock) {
    this.routingSnapshots = routingSnapshots;
    this.rememberedTools = new RememberedTools(clock, ToolSchemas::isFresh);
  }

  /** A source that listed nothing may be back in a moment. */
  private static boolean isFresh(
      CompletableFuture<Listing> listing, Duration age, GatewayLimits limits) {
    Duration listedMax = Duration.ofMillis(limits.toolListMillisMax());
    Duration max =
        !hasTools(listing) && listedMax.compareTo(FAILED_MAX) > 0 ? FAILED_MAX : listedMax;
    return !listing.isDone() || age.compareTo(max) < 0;
  }

  private static boolean hasTools(CompletableFuture<Listing> listing) {
    return listing.isDone()
        && !listing.isCompletedExceptionally()
        && listing.join() instanceof Listing.Tools;
  }

  /** The schema of a tool that callers see; empty when it has none or cannot be had. */
  CompletableFuture<Optional<String>> of(String tool) {
    RoutingSnapshot routingSnapshot = routingSnapshots.get();
    return ExecutorNames.source(tool, routingSnapshot.rules())
        .map(source ->
            rememberedTools
                .of(source, routingSnapshot)
                .thenApply(listing -> schema(listing, source.ownName(tool)))
                .exceptionally(_ -> Optional.empty()))
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
  }

  private static Optional<String> schema(Listing listing, String ownName) {
    return switch (listing) {
      case Listing.Failed _ -> Optional.empty();
      case Listing.Tools(var tools) ->
          tools.stream()
              .filter(tool -> tool.name().equals(ownName))
              .flatMap(tool -> ObjectMembers.of(tool.description()).json("inputSchema").stream())
              .filter(json -> json.startsWith("{"))
              .reduce((_, last) -> last);
    };
  }
}
