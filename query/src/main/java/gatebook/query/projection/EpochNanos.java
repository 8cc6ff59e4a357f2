package gatebook.query.projection;

import gatebook.events.call.UtcTime;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Converts times to nanoseconds since the epoch (1970), as views store them. They last until 2262.
 */
public final class EpochNanos {
  private static final long PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private EpochNanos() {}

  /** A time outside this range becomes the first or the last one that a {@code long} can hold. */
  public static long of(Instant at) {
    try {
      return Math.addExact(Math.multiplyExact(at.getEpochSecond(), PER_SECOND), at.getNano());
    } catch (ArithmeticException _) {
      return at.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  /** The time of an event, given in the journal's text format. */
  public static long of(String at) {
    return of(UtcTime.parse(at));
  }

  public static Instant toInstant(long nanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(nanos, PER_SECOND), Math.floorMod(nanos, PER_SECOND));
  }
}
