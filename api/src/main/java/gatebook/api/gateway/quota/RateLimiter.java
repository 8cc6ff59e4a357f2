package gatebook.api.gateway.quota;

import gatebook.command.rules.CallQuota.Rate;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Limits the rate at which calls begin that are counted together, with {@code burst} calls at once.
 * There are as many entries as keys.
 */
final class RateLimiter {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanos;

  /** Per key, the time until which its calls so far use up the rate. */
  private final ConcurrentMap<Object, AtomicLong> usedUntil = new ConcurrentHashMap<>();

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
    AtomicLong until = usedUntil.computeIfAbsent(key, _ -> new AtomicLong(nanos.getAsLong()));
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

  /** Gives back one call that was taken at this rate. */
  void giveBack(Object key, Rate rate) {
    AtomicLong until = usedUntil.get(key);
    if (until != null) {
      until.addAndGet(-(SECOND / rate.perSecond()));
    }
  }
}
