package gatebook.api.flow;

import gatebook.api.flow.task.RefusedRequest;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the open trees of each principal: those with a task that is pending or in progress.
 *
 * <p>The view counts them every few seconds; in between, each new tree uses up the room that was
 * left. Several nodes, or a node whose view is behind, may therefore exceed the limit for a short
 * time. A process without a readable view has no limit.
 */
final class OpenTrees {
  private static final Duration COUNTED_ANEW_AFTER = Duration.ofSeconds(10);

  private final Function<String, CompletableFuture<OptionalLong>> openNow;
  private final InstantSource clock;
  private final Map<String, Account> accounts = new ConcurrentHashMap<>();

  /**
   * @param openNow counts the open trees of an owner; empty without a view
   */
  OpenTrees(Function<String, CompletableFuture<OptionalLong>> openNow, InstantSource clock) {
    this.openNow = openNow;
    this.clock = clock;
  }

  /** Creates one more tree; the request ends when the caller has no room for it. */
  <T> CompletableFuture<T> create(
      String owner, GatewayLimits gatewayLimits, Supplier<CompletableFuture<T>> creation) {
    Account account = accounts.computeIfAbsent(owner, Account::new);
    return account
        .take(gatewayLimits.getInt(Limit.TREES_OPEN_PER_PRINCIPAL_MAX))
        .thenCompose(_ ->
            CompletableFuture.completedFuture(creation)
                .thenCompose(Supplier::get)
                .whenComplete((_, _) -> account.created()));
  }

  /** The room that an owner had under a limit when its trees were counted. */
  private record Room(int limit, Instant until, AtomicLong left) {
    boolean take(int limitNow, Instant now) {
      return limit == limitNow && now.isBefore(until) && left.getAndDecrement() > 0;
    }
  }

  /** The trees of one owner. */
  private final class Account {
    private final String owner;
    private @Nullable Room room;

    /** The trees for which room was taken, and that the view may not have yet. */
    private long creating;

    private @Nullable CompletableFuture<Void> counting;

    Account(String owner) {
      this.owner = owner;
    }

    synchronized CompletableFuture<Void> take(int limit) {
      if (room != null && room.take(limit, clock.instant())) {
        creating++;
        return CompletableFuture.completedFuture(null);
      }
      CompletableFuture<Void> counted = counting == null ? count(limit) : counting;
      return counted.thenCompose(_ -> take(limit));
    }

    synchronized void created() {
      creating--;
    }

    private CompletableFuture<Void> count(int limit) {
      CompletableFuture<Void> counted = new CompletableFuture<>();
      counting = counted;
      long besides = creating;
      CompletableFuture<Void> _ =
          openNow
              .apply(owner)
              .thenAccept(open -> onCount(open, besides, limit))
              .whenComplete((_, failure) -> onCounted(counted, failure));
      return counted;
    }

    private synchronized void onCount(OptionalLong open, long besides, int limit) {
      long trees = open.orElse(0) + besides;
      if (open.isPresent() && trees >= limit) {
        throw new RefusedRequest(tooMany(trees, limit));
      }
      room =
          new Room(
              limit,
              clock.instant().plus(COUNTED_ANEW_AFTER),
              new AtomicLong(open.isPresent() ? limit - trees : Long.MAX_VALUE));
    }

    private void onCounted(CompletableFuture<Void> counted, @Nullable Throwable failure) {
      synchronized (this) {
        counting = null;
      }
      if (failure == null) {
        counted.complete(null);
      } else {
        counted.completeExceptionally(failure);
      }
    }
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
