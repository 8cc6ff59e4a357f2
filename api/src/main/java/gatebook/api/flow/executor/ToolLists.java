package gatebook.api.flow.executor;

import gatebook.api.gateway.RememberedTools;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.api.upstream.Upstream.Response;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Source;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

/**
 * The lists of tools of sources. A list is remembered for some time and while the rules stay the
 * same, for a shorter time when it could not be had.
 */
public final class ToolLists {
  private static final Duration FAILED_MAX = Duration.ofSeconds(5);
  private static final Listing BROKEN = new Listing.Failed(new Response.NotConnected("not listed"));

  private final RememberedTools rememberedTools;

  public ToolLists(InstantSource clock) {
    this.rememberedTools = new RememberedTools(clock);
  }

  /** The tools of a source, from a list that may be old; the future never fails. */
  CompletableFuture<Listing> remembered(Source source, RoutingSnapshot routingSnapshot) {
    return rememberedTools
        .of(source, routingSnapshot, ToolLists::isFresh)
        .exceptionally(_ -> BROKEN);
  }

  /** The same, from a list that is younger than this; it is remembered, too. */
  CompletableFuture<Listing> younger(
      Duration ageMax, Source source, RoutingSnapshot routingSnapshot) {
    return rememberedTools
        .of(
            source,
            routingSnapshot,
            (listing, age, _) -> !listing.isDone() || age.compareTo(ageMax) < 0)
        .exceptionally(_ -> BROKEN);
  }

  /** A source that listed nothing may be back in a moment. */
  private static boolean isFresh(
      CompletableFuture<Listing> listing, Duration age, GatewayLimits limits) {
    Duration listedMax = Duration.ofMillis(limits.get(Limit.TOOL_LIST_MILLIS_MAX));
    Duration max =
        !hasTools(listing) && listedMax.compareTo(FAILED_MAX) > 0 ? FAILED_MAX : listedMax;
    return !listing.isDone() || age.compareTo(max) < 0;
  }

  private static boolean hasTools(CompletableFuture<Listing> listing) {
    return listing.isDone()
        && !listing.isCompletedExceptionally()
        && listing.join() instanceof Listing.Tools;
  }
}
