package gatebook.api.gateway.quota;

import gatebook.command.call.CallQuotas;
import gatebook.command.rules.CallQuota;
import gatebook.command.rules.CallQuota.Rate;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Misdirected.RateLimited;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The quotas of this node. A budget is taken first, then the rate, then a place among the running
 * calls, then a slot of held calls, so that a caller learns of the longest wait.
 */
public final class NodeQuotas implements CallQuotas, AutoCloseable {

  private final HoldSlots holdSlots = new HoldSlots();
  private final RateLimiter rateLimiter;
  private final DailyBudgets budgets;

  /** How many calls run, by what counts them; none has an entry with zero. */
  private final ConcurrentMap<QuotaKey, Integer> running = new ConcurrentHashMap<>();

  private final ConcurrentMap<UUID, Taken> taken = new ConcurrentHashMap<>();

  /**
   * What a call took from the quotas of the rules.
   *
   * @param runs what counts it among the running calls
   * @param refunds give back what stays taken when the call ends
   */
  private record Taken(List<QuotaKey> runs, List<Runnable> refunds) {}

  /**
   * @param nanos measures rates
   */
  public NodeQuotas(DailyBudgets budgets, LongSupplier nanos) {
    this.budgets = budgets;
    this.rateLimiter = new RateLimiter(nanos);
  }

  /** Prepares for calls under these rules; may block. */
  public void prepare(Rules rules) {
    if (hasBudget(rules)) {
      budgets.prepare();
    }
  }

  /** Whether taking may wait for the disk or a database under these rules. */
  public boolean mayWait(Rules rules) {
    return hasBudget(rules) && budgets.mayWait();
  }

  private static boolean hasBudget(Rules rules) {
    return !rules.quotas().isEmpty()
        && rules.quotas().stream().anyMatch(quota -> quota.callsPerDay() != null);
  }

  /** Takes one message of a principal; returns the seconds to wait when it is above the rate. */
  public OptionalLong takeMessage(String principal, GatewayLimits limits) {
    return rateLimiter.acquire(
        principal, new Rate(limits.get(Limit.RATE_PER_SECOND), limits.get(Limit.RATE_BURST)));
  }

  @Override
  public QuotaResult take(QuotaRequest request) {
    RateLimited usedUp = request.quotas().isEmpty() ? null : takeFromQuotas(request);
    if (usedUp != null) {
      return new QuotaResult.UsedUp(usedUp);
    }
    if (!request.isHeld()) {
      return QuotaResult.TAKEN;
    }
    QuotaResult quotaResult =
        holdSlots.take(request.callId(), request.principal(), request.limits());
    if (!(quotaResult instanceof QuotaResult.Taken)) {
      refund(request.callId());
    }
    return quotaResult;
  }

  private @Nullable RateLimited takeFromQuotas(QuotaRequest request) {
    Taken call = new Taken(new ArrayList<>(), new ArrayList<>());
    boolean isRefused = true;
    try {
      RateLimited refusal = takeEach(request, call);
      isRefused = refusal != null;
      return refusal;
    } finally {
      if (isRefused) {
        refund(call);
      } else {
        taken.put(request.callId(), call);
      }
    }
  }

  /** Adds to the call what it took until a quota has no room. */
  private @Nullable RateLimited takeEach(QuotaRequest request, Taken call) {
    String principal = request.principal();
    LocalDate day = LocalDate.ofInstant(request.receivedAt(), ZoneOffset.UTC);
    for (CallQuota quota : request.quotas()) {
      if (quota.callsPerDay() != null) {
        if (!budgets.take(quota, principal, day)) {
          return new RateLimited(
              Misdirected.Limit.BUDGET, secondsUntil(resetsAt(day), request.receivedAt()));
        }
        call.refunds.add(() -> budgets.giveBack(quota, principal, day));
      }
    }
    for (CallQuota quota : request.quotas()) {
      Rate rate = quota.rate();
      if (rate != null) {
        QuotaKey key = QuotaKey.of(quota, principal);
        OptionalLong waitSeconds = rateLimiter.acquire(key, rate);
        if (waitSeconds.isPresent()) {
          return new RateLimited(Misdirected.Limit.RATE, waitSeconds.getAsLong());
        }
        call.refunds.add(() -> rateLimiter.giveBack(key, rate));
      }
    }
    for (CallQuota quota : request.quotas()) {
      if (quota.concurrentMax() != null) {
        QuotaKey key = QuotaKey.of(quota, principal);
        if (!startRunning(key, quota.concurrentMax())) {
          return new RateLimited(Misdirected.Limit.CONCURRENCY, null);
        }
        call.runs.add(key);
      }
    }
    return null;
  }

  /** When the budgets of a day end. */
  static Instant resetsAt(LocalDate day) {
    return day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  private static long secondsUntil(Instant end, Instant at) {
    return Math.ceilDiv(Duration.between(at, end).toMillis(), 1_000L);
  }

  private boolean startRunning(QuotaKey key, int most) {
    boolean[] hasRoom = {false};
    running.compute(
        key,
        (_, calls) -> {
          int before = calls == null ? 0 : calls;
          hasRoom[0] = before < most;
          return hasRoom[0] ? Integer.valueOf(before + 1) : calls;
        });
    return hasRoom[0];
  }

  private void stopRunning(Taken call) {
    call.runs.forEach(
        key -> running.computeIfPresent(key, (_, calls) -> calls == 1 ? null : calls - 1));
  }

  @Override
  public void giveBack(UUID callId) {
    refund(callId);
    holdSlots.release(callId);
  }

  private void refund(UUID callId) {
    Taken call = taken.remove(callId);
    if (call != null) {
      refund(call);
    }
  }

  private void refund(Taken call) {
    stopRunning(call);
    call.refunds.forEach(Runnable::run);
  }

  /** Ends a call: it runs no longer. Does nothing for a call that does not. */
  public void end(UUID callId) {
    Taken call = taken.remove(callId);
    if (call != null) {
      stopRunning(call);
    }
  }

  /** Takes for a call that an earlier process held, also beyond the limits; it is counted there. */
  public void takeAnyway(QuotaRequest request) {
    List<QuotaKey> runs =
        request.quotas().stream()
            .filter(quota -> quota.concurrentMax() != null)
            .map(quota -> QuotaKey.of(quota, request.principal()))
            .toList();
    if (!runs.isEmpty()) {
      runs.forEach(key -> running.merge(key, 1, Integer::sum));
      taken.put(request.callId(), new Taken(runs, List.of()));
    }
    holdSlots.takeAnyway(request.callId(), request.principal());
  }

  /** Releases the slot of a call that is held no longer. */
  public void releaseHold(UUID callId) {
    holdSlots.release(callId);
  }

  /**
   * Waits for a slot of held calls; completed with false when the call is to wait no longer.
   *
   * @param limits those in force now
   */
  public CompletableFuture<Boolean> awaitHold(
      UUID callId, String principal, Supplier<GatewayLimits> limits) {
    return holdSlots.await(callId, principal, limits);
  }

  /** Lets a call wait no longer for a slot, if it does. */
  public void giveUpHold(UUID callId) {
    holdSlots.giveUp(callId);
  }

  /** Gives free slots to calls that wait: there may be more after a change of the rules. */
  public void handOutHolds() {
    holdSlots.handOut();
  }

  /** The number of held calls. */
  public int heldCount() {
    return holdSlots.count();
  }

  /**
   * The use of the quotas.
   *
   * @param running how many calls run at this node
   * @param usedToday how many calls of the day budgets counted
   * @param resetsAt when the day ends
   */
  public record Usage(
      Map<QuotaKey, Integer> running, Map<QuotaKey, Long> usedToday, Instant resetsAt) {}

  /** The use of the quotas under these rules; may block. */
  public Usage usage(Rules rules, Instant now) {
    LocalDate day = LocalDate.ofInstant(now, ZoneOffset.UTC);
    return new Usage(
        Map.copyOf(running), hasBudget(rules) ? budgets.used(day) : Map.of(), resetsAt(day));
  }

  @Override
  public void close() {
    budgets.close();
  }
}
