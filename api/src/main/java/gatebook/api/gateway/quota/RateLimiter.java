package gatebook.api.gateway.quota;

import gatebook.command.rules.CallQuota.Rate;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the rate at which calls begin that are counted together, with {@code burst} calls at once.
 * Keys whose calls use up nothing any more are forgotten once there are twice as many keys.
 */
final class RateLimiter {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long KEYS_KEPT = 1_024;

  private final LongSupplier nanos;

  /** Per key, the time until which its calls so far use up the rate. */
  private final ConcurrentMap<Object, Long> usedUntil = new ConcurrentHashMap<>();

  private volatile long keysMax = KEYS_KEPT;

  RateLimiter(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Takes one call; returns the seconds to wait instead when it is above the rate.
   *
   * @param key of the calls that are counted together
   */
  OptionalLong acquire(Object key, Rate rate) {
    long interval = SECOND / rate.perSecond();
    long tolerance = interval * rate.burst();
    long now = nanos.getAsLong();
    long[] excess = {0};
    usedUntil.compute(
        key,
        (_, before) -> {
          long after = (before != null && before - now > 0 ? before : now) + interval;
          excess[0] = after - now - tolerance;
          return excess[0] > 0 ? before : Long.valueOf(after);
        });
    if (usedUntil.size() > keysMax) {
      forgetUnused(now);
    }
    return excess[0] > 0 ? OptionalLong.of(Math.ceilDiv(excess[0], SECOND)) : OptionalLong.empty();
  }

  private void forgetUnused(long now) {
    usedUntil.values().removeIf(until -> until - now <= 0);
    keysMax = Math.max(KEYS_KEPT, 2L * usedUntil.size());
  }

  /** Gives back one call that was taken at this rate. */
  void giveBack(Object key, Rate rate) {
    usedUntil.computeIfPresent(key, (_, until) -> until - SECOND / rate.perSecond());
  }

  /** The number of keys that it knows. */
  int size() {
    return usedUntil.size();
  }
}
