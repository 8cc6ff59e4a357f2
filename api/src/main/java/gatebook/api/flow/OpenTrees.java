package gatebook.api.flow;

import gatebook.command.rules.GatewayLimits;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Limits the open trees of each principal: those with a task that is pending or in progress.
 *
 * <p>The view counts them, which is a little behind the journal. What it left room for is used up
 * here for some seconds before it counts again. So trees that are created at the same time, or by
 * several nodes, may exceed the limit for a short time. A process without a view that can be read
 * has no limit.
 */
final class OpenTrees {
  private static final Duration COUNTED_ANEW_AFTER = Duration.ofSeconds(10);

  private final Function<String, CompletableFuture<OptionalLong>> openNow;
  private final InstantSource clock;
  private final Map<String, Room> rooms = new ConcurrentHashMap<>();

  /**
   * @param openNow counts the open trees of an owner; empty without a view
   */
  OpenTrees(Function<String, CompletableFuture<OptionalLong>> openNow, InstantSource clock) {
    this.openNow = openNow;
    this.clock = clock;
  }

  /** The room that an owner had under a limit when its trees were counted. */
  private record Room(int limit, Instant until, AtomicLong left) {
    boolean take(int limitNow, Instant now) {
      return limit == limitNow && now.isBefore(until) && left.getAndDecrement() > 0;
    }
  }

  /** Takes room for one more tree; the request ends when the caller has none. */
  CompletableFuture<Void> take(String owner, GatewayLimits gatewayLimits) {
    int limit = gatewayLimits.treesOpenPerPrincipalMax();
    Room room = rooms.get(owner);
    return room != null && room.take(limit, clock.instant())
        ? CompletableFuture.completedFuture(null)
        : openNow.apply(owner).thenAccept(open -> takeOf(owner, open, limit));
  }

  private void takeOf(String owner, OptionalLong open, int limit) {
    if (open.isEmpty()) {
      return;
    }
    long trees = open.getAsLong();
    if (trees >= limit) {
      throw new RefusedRequest(tooMany(trees, limit));
    }
    rooms.put(
        owner,
        new Room(
            limit, clock.instant().plus(COUNTED_ANEW_AFTER), new AtomicLong(limit - trees - 1)));
  }

  private static TaskFault tooMany(long open, int limit) {
    return new TaskFault.InvalidTaskSchema(
        null,
        List.of(
            new Problem(
                "tasks",
                "You have %d open trees, and the limit is %d: wait until one has ended, or cancel one"
                    .formatted(open, limit),
                "at most %d open trees".formatted(limit),
                JsonValue.parse(Long.toString(open)),
                List.of())));
  }
}
