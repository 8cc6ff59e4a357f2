package gatebook.api.gateway;

import gatebook.command.rules.GatewayLimits;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How often each principal may call: at the rate, and {@code burst} calls at once. There are as
 * many entries as principals with a name.
 */
final class RateLimiter {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanos;

  /** When each principal's calls would all have come, had they come at the rate. */
  private final ConcurrentMap<String, AtomicLong> spoken = new ConcurrentHashMap<>();

  RateLimiter(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Seconds after which the principal may call again; empty when this call is within the rate. */
  OptionalLong exceeded(String principal, GatewayLimits gatewayLimits) {
    long interval = SECOND / gatewayLimits.ratePerSecond();
    long patience = interval * gatewayLimits.rateBurst();
    AtomicLong until = spoken.computeIfAbsent(principal, _ -> new AtomicLong(nanos.getAsLong()));
    while (true) {
      long now = nanos.getAsLong();
      long before = until.get();
      long after = (before - now > 0 ? before : now) + interval;
      if (after - now > patience) {
        return OptionalLong.of(Math.ceilDiv(after - now - patience, SECOND));
      }
      if (until.compareAndSet(before, after)) {
        return OptionalLong.empty();
      }
    }
  }
}
