package gatebook.api.flow;

import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream;
import gatebook.command.rules.Source;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The schemas of tools, from the lists of their sources. A list is remembered for some time and
 * while the rules stay the same, also when it could not be had.
 */
final class ToolSchemas {
  private final Supplier<RoutingSnapshot> routingSnapshots;
  private final InstantSource clock;
  private volatile @Nullable Lists current;

  ToolSchemas(Supplier<RoutingSnapshot> routingSnapshots, InstantSource clock) {
    this.routingSnapshots = routingSnapshots;
    this.clock = clock;
  }

  private record Lists(RoutingSnapshot routingSnapshot, Map<String, Listed> bySource) {}

  /** The schemas of a source's tools by their own names; none when they could not be listed. */
  private record Listed(Instant at, CompletableFuture<Map<String, String>> schemas) {}

  /** The schema of a tool that callers see; empty when it has none or cannot be had. */
  CompletableFuture<Optional<String>> of(String tool) {
    RoutingSnapshot routingSnapshot = routingSnapshots.get();
    return VisibleExecutors.source(tool, routingSnapshot.rules())
        .map(source ->
            listed(source, routingSnapshot)
                .thenApply(schemas -> Optional.ofNullable(schemas.get(source.ownName(tool)))))
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
  }

  private CompletableFuture<Map<String, String>> listed(
      Source source, RoutingSnapshot routingSnapshot) {
    Duration ageMax = Duration.ofMillis(routingSnapshot.rules().limits().toolListMillisMax());
    Instant now = clock.instant();
    return lists(routingSnapshot)
        .bySource
        .compute(
            source.id(),
            (_, last) ->
                last != null && now.isBefore(last.at.plus(ageMax))
                    ? last
                    : new Listed(now, list(routingSnapshot.upstream(source))))
        .schemas;
  }

  @SuppressWarnings("ReferenceEquality") // a snapshot stays the same while the rules do
  private Lists lists(RoutingSnapshot routingSnapshot) {
    Lists last = current;
    if (last == null || last.routingSnapshot != routingSnapshot) {
      last = new Lists(routingSnapshot, new ConcurrentHashMap<>());
      current = last;
    }
    return last;
  }

  private static CompletableFuture<Map<String, String>> list(Upstream upstream) {
    return upstream.listTools().thenApply(ToolSchemas::schemas).exceptionally(_ -> Map.of());
  }

  private static Map<String, String> schemas(Upstream.Listing listing) {
    return switch (listing) {
      case Upstream.Listing.Failed _ -> Map.of();
      case Upstream.Listing.Tools(var tools) -> {
        Map<String, String> schemas = new HashMap<>();
        for (Upstream.Tool tool : tools) {
          ObjectMembers.of(tool.description())
              .json("inputSchema")
              .filter(json -> json.startsWith("{"))
              .ifPresent(json -> schemas.put(tool.name(), json));
        }
        yield schemas;
      }
    };
  }
}
