package gatebook.api.gateway;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls in flight of this node. When the node stops, what only waits for a person or lasts
 * until its reader leaves is ended first, and what is left after the grace period is ended, too.
 */
final class CallsInFlight {

  private final Waits lasting = new Waits();
  private final Waits all = new Waits();
  private int count;
  private long ended;
  private CompletableFuture<Void> none = CompletableFuture.completedFuture(null);

  /** What a caller waits for when the node stops. */
  enum Wait {
    /** Something that does not come soon: a decision of a person, or the end of a subscription. */
    LONG,
    /** An answer. */
    ANSWER
  }

  /** Counts a call. */
  synchronized void begin() {
    if (count++ == 0) {
      none = new CompletableFuture<>();
    }
  }

  /** A call has its reply, or is settled. */
  void end() {
    @Nullable CompletableFuture<Void> wasLast;
    synchronized (this) {
      ended++;
      wasLast = --count == 0 ? none : null;
    }
    if (wasLast != null) {
      wasLast.complete(null);
    }
  }

  synchronized int count() {
    return count;
  }

  synchronized long ended() {
    return ended;
  }

  /** Completed when no call is in flight. */
  synchronized CompletableFuture<Void> none() {
    return none;
  }

  /**
   * The pending value, or the other one if the node stops before it is there: then the pending one
   * is cancelled.
   */
  <T> CompletableFuture<T> orWhenStopping(
      Wait wait, CompletableFuture<T> pending, Supplier<CompletableFuture<T>> otherwise) {
    if (pending.isDone()) {
      return pending;
    }
    CompletableFuture<T> first = new CompletableFuture<>();
    Runnable end =
        () -> {
          if (!pending.isDone()) {
            CompletableFuture<T> _ =
                copy(otherwise.get(), first).whenComplete((_, _) -> pending.cancel(false));
          }
        };
    Waits waits = wait == Wait.LONG ? lasting : all;
    waits.add(end);
    CompletableFuture<T> _ = copy(pending, first).whenComplete((_, _) -> waits.remove(end));
    return first;
  }

  /** The copied one, once it is copied. */
  private static <T> CompletableFuture<T> copy(CompletableFuture<T> from, CompletableFuture<T> to) {
    return from.whenComplete((value, failure) -> {
      boolean _ = failure == null ? to.complete(value) : to.completeExceptionally(failure);
    });
  }

  /** Ends what does not come soon, now and from now on. */
  void endLongWaits() {
    lasting.endAll();
  }

  /** Ends every wait, now and from now on; returns how many calls were in flight. */
  int endAll() {
    int left = count();
    lasting.endAll();
    all.endAll();
    return left;
  }

  private static final class Waits {
    private final Set<Runnable> open = ConcurrentHashMap.newKeySet();
    private volatile boolean hasEnded;

    void add(Runnable end) {
      open.add(end);
      if (hasEnded) {
        end.run();
      }
    }

    void remove(Runnable end) {
      open.remove(end);
    }

    void endAll() {
      hasEnded = true;
      open.forEach(Runnable::run);
    }
  }
}
