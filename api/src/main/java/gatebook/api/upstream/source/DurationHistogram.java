package gatebook.api.upstream.source;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts durations in steps that grow with them, so that a percentile is at most a sixteenth off
 * and the memory does not grow. Durations beyond a day are counted as a day.
 */
final class DurationHistogram {
  private static final int STEP_BITS = 4;

  /** The steps in which a duration doubles. */
  private static final int STEPS = 1 << STEP_BITS;

  private static final long MICROS_MAX = TimeUnit.DAYS.toMicros(1);

  private final AtomicLongArray counts = new AtomicLongArray(step(MICROS_MAX) + 1);

  void add(long nanos) {
    long micros = TimeUnit.NANOSECONDS.toMicros(Math.max(0, nanos));
    counts.incrementAndGet(step(Math.min(micros, MICROS_MAX)));
  }

  /**
   * The duration that this share of all durations does not exceed; empty when there are none.
   *
   * @param share between 0 and 1
   */
  Optional<Duration> percentile(double share) {
    long[] now = new long[counts.length()];
    long all = 0;
    for (int i = 0; i < now.length; i++) {
      now[i] = counts.get(i);
      all += now[i];
    }
    long wanted = Math.max(1, (long) Math.ceil(share * all));
    long below = 0;
    for (int i = 0; i < now.length; i++) {
      below += now[i];
      if (below >= wanted) {
        return Optional.of(Duration.of(middle(i), ChronoUnit.MICROS));
      }
    }
    return Optional.empty();
  }

  /** The first steps are one microsecond wide, those of each further doubling twice as wide. */
  private static int step(long micros) {
    if (micros < STEPS) {
      return (int) micros;
    }
    int doublings = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros) - STEP_BITS;
    return doublings * STEPS + (int) (micros >>> doublings);
  }

  private static long middle(int step) {
    if (step < 2 * STEPS) {
      return step;
    }
    int doublings = step / STEPS - 1;
    long first = (long) (step - doublings * STEPS) << doublings;
    return first + (1L << (doublings - 1));
  }
}
