package gatebook.api.gateway;

import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Limits the rate at which each principal calls, with {@code burst} calls at once. There are as
 * many entries as principals with a name.
 */
final class RateLimiter {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanos;

  /** Per principal, the time until which its calls so far use up the rate. */
  private final ConcurrentMap<String, AtomicLong> usedUntil = new ConcurrentHashMap<>();

  RateLimiter(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Takes one call; returns the seconds to wait instead when it is above the rate. */
  OptionalLong acquire(String principal, GatewayLimits gatewayLimits) {
    long interval = SECOND / gatewayLimits.get(Limit.RATE_PER_SECOND);
    long tolerance = interval * gatewayLimits.get(Limit.RATE_BURST);
    AtomicLong until = usedUntil.computeIfAbsent(principal, _ -> new AtomicLong(nanos.getAsLong()));
    while (true) {
      long now = nanos.getAsLong();
      long before = until.get();
      long after = (before - now > 0 ? before : now) + interval;
      if (after - now > tolerance) {
        return OptionalLong.of(Math.ceilDiv(after - now - tolerance, SECOND));
      }
      if (until.compareAndSet(before, after)) {
        return OptionalLong.empty();
      }
    }
  }
}
