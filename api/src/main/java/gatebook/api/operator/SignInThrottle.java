package gatebook.api.operator;

import gatebook.command.rules.GatewayLimits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Throttles sign-ins that are refused: so many a minute are tried and recorded, and further ones
 * are only counted, so that guessing is slow and a flood cannot fill the journal.
 */
final class SignInThrottle {
  private static final long MINUTE_SECONDS = 60;

  private final Supplier<GatewayLimits> limits;
  private final InstantSource clock;
  private long minute;
  private int inMinute;
  private long untried;

  SignInThrottle(Supplier<GatewayLimits> limits, InstantSource clock) {
    this.limits = limits;
    this.clock = clock;
  }

  /** Counts an attempt as refused until it succeeds; returns whether it may be tried. */
  synchronized boolean take() {
    long now = clock.instant().getEpochSecond() / MINUTE_SECONDS;
    if (now != minute) {
      minute = now;
      inMinute = 0;
    }
    if (inMinute >= limits.get().consoleRefusalsPerMinuteMax()) {
      untried++;
      return false;
    }
    inMinute++;
    return true;
  }

  /** Takes back the count of an attempt that succeeded. */
  synchronized void succeed() {
    inMinute = Math.max(0, inMinute - 1);
  }

  /** How many attempts were not tried since the last call. */
  synchronized long drainUntried() {
    long drained = untried;
    untried = 0;
    return drained;
  }

  /** Counts attempts again whose number could not be recorded. */
  synchronized void restoreUntried(long count) {
    untried += count;
  }

  /** The time until attempts are tried again. */
  Duration retryAfter() {
    return Duration.ofSeconds(MINUTE_SECONDS - clock.instant().getEpochSecond() % MINUTE_SECONDS);
  }
}
