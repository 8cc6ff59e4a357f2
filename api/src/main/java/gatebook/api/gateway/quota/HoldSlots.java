package gatebook.api.gateway.quota;

import gatebook.command.call.CallQuotas.QuotaResult;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Slots of the calls that this node holds for approval. A call can wait for a slot: those that wait
 * longest get what is released.
 */
final class HoldSlots {

  private final Map<UUID, String> taken = new HashMap<>();
  private final Map<String, Integer> byPrincipal = new HashMap<>();
  private final SequencedMap<UUID, Waiter> waiters = new LinkedHashMap<>();

  private record Waiter(
      String principal, Supplier<GatewayLimits> limits, CompletableFuture<Boolean> hasSlot) {}

  /**
   * Takes a slot for a call that is about to be held; takes none when they are used up. A call that
   * waited for its slot has it already.
   */
  synchronized QuotaResult take(UUID callId, String principal, GatewayLimits gatewayLimits) {
    if (taken.containsKey(callId)) {
      return QuotaResult.TAKEN;
    }
    if (taken.size() >= gatewayLimits.get(Limit.HELD_MAX)) {
      return QuotaResult.FULL;
    }
    if (byPrincipal.getOrDefault(principal, 0) >= gatewayLimits.get(Limit.HELD_PER_PRINCIPAL_MAX)) {
      return QuotaResult.PRINCIPAL_FULL;
    }
    takeAnyway(callId, principal);
    return QuotaResult.TAKEN;
  }

  /** Takes a slot for a call, also beyond the limit. */
  synchronized void takeAnyway(UUID callId, String principal) {
    if (taken.put(callId, principal) == null) {
      byPrincipal.merge(principal, 1, Integer::sum);
    }
  }

  /** Releases the slot of a call; does nothing for a call that has none. */
  void release(UUID callId) {
    if (removeTaken(callId)) {
      handOut();
    }
  }

  private synchronized boolean removeTaken(UUID callId) {
    String principal = taken.remove(callId);
    if (principal != null) {
      byPrincipal.computeIfPresent(principal, (_, calls) -> calls == 1 ? null : calls - 1);
    }
    return principal != null;
  }

  /**
   * Waits for a slot; completed with false when the call is to wait no longer.
   *
   * @param limits those in force now
   */
  CompletableFuture<Boolean> await(UUID callId, String principal, Supplier<GatewayLimits> limits) {
    Waiter waiter = new Waiter(principal, limits, new CompletableFuture<>());
    synchronized (this) {
      waiters.put(callId, waiter);
    }
    handOut();
    return waiter.hasSlot;
  }

  /** Lets a call wait no longer, if it does. */
  void giveUp(UUID callId) {
    Waiter waiter = removeWaiter(callId);
    if (waiter != null) {
      waiter.hasSlot.complete(false);
    }
  }

  private synchronized @Nullable Waiter removeWaiter(UUID callId) {
    return waiters.remove(callId);
  }

  /** Gives free slots to calls that wait; each goes on in a thread of its own. */
  void handOut() {
    takeForWaiters().forEach(waiter -> waiter.hasSlot.completeAsync(() -> true));
  }

  private synchronized List<Waiter> takeForWaiters() {
    List<Waiter> served = new ArrayList<>();
    waiters
        .entrySet()
        .removeIf(waiting -> {
          Waiter waiter = waiting.getValue();
          boolean isServed =
              take(waiting.getKey(), waiter.principal, waiter.limits.get())
                  instanceof QuotaResult.Taken;
          if (isServed) {
            served.add(waiter);
          }
          return isServed;
        });
    return served;
  }

  synchronized int count() {
    return taken.size();
  }
}
