package gatebook.api.gateway;

import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Source;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The remembered tools of each source, for some time and while the rules stay the same. A source is
 * asked when its tools are first needed.
 */
public final class RememberedTools {
  private final InstantSource clock;
  private volatile @Nullable Lists current;

  /** Decides whether a list is used again. */
  @FunctionalInterface
  public interface Freshness {

    /**
     * Whether a source is not asked again.
     *
     * @param listing may have failed, or not be there yet
     * @param age since the source was asked
     */
    boolean isFresh(CompletableFuture<Listing> listing, Duration age, GatewayLimits limits);
  }

  private record Lists(RoutingSnapshot routingSnapshot, Map<String, Listed> bySource) {}

  private record Listed(Instant at, CompletableFuture<Listing> listing) {}

  public RememberedTools(InstantSource clock) {
    this.clock = clock;
  }

  /** The tools of a source, which is asked unless its last list is fresh. */
  public CompletableFuture<Listing> of(
      Source source, RoutingSnapshot routingSnapshot, Freshness freshness) {
    GatewayLimits limits = routingSnapshot.rules().limits();
    Instant now = clock.instant();
    return lists(routingSnapshot)
        .bySource
        .compute(
            source.id(),
            (_, last) ->
                last != null
                        && freshness.isFresh(last.listing, Duration.between(last.at, now), limits)
                    ? last
                    : new Listed(now, routingSnapshot.upstream(source).listTools()))
        .listing;
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
}
