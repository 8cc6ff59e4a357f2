package gatebook.query.projection;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Times as views keep them: whole nanoseconds since 1970, which last until 2262. */
public final class Nanos {
  private static final long PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private Nanos() {}

  /** What lies outside counts as the first or the last of all times. */
  public static long of(Instant at) {
    try {
      return Math.addExact(Math.multiplyExact(at.getEpochSecond(), PER_SECOND), at.getNano());
    } catch (ArithmeticException _) {
      return at.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  /** The time of an event, in the journal's own text. */
  public static long of(String at) {
    return of(Instant.parse(at));
  }

  public static Instant at(long nanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(nanos, PER_SECOND), Math.floorMod(nanos, PER_SECOND));
  }
}
