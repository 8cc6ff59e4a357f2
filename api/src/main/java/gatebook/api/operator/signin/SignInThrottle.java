package gatebook.api.operator.signin;

import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Throttles the records of refused sign-ins: so many a minute are recorded, and further ones are
 * only counted, so that a flood cannot fill the journal.
 */
final class SignInThrottle {
  private static final long MINUTE_SECONDS = 60;

  private final Supplier<GatewayLimits> limits;
  private final InstantSource clock;
  private long minute;
  private int inMinute;
  private long unrecorded;

  SignInThrottle(Supplier<GatewayLimits> limits, InstantSource clock) {
    this.limits = limits;
    this.clock = clock;
  }

  /** Counts a refusal; returns whether it is to be recorded. */
  synchronized boolean take() {
    long now = clock.instant().getEpochSecond() / MINUTE_SECONDS;
    if (now != minute) {
      minute = now;
      inMinute = 0;
    }
    if (inMinute >= limits.get().get(Limit.CONSOLE_REFUSALS_PER_MINUTE_MAX)) {
      unrecorded++;
      return false;
    }
    inMinute++;
    return true;
  }

  /** How many refusals were not recorded since the last call. */
  synchronized long drainUnrecorded() {
    long drained = unrecorded;
    unrecorded = 0;
    return drained;
  }

  /** Counts refusals again whose number could not be recorded. */
  synchronized void restoreUnrecorded(long count) {
    unrecorded += count;
  }
}
