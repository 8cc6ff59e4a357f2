package gatebook.query.projection;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

/** Times as views keep them: whole nanoseconds since 1970, which last until 2262. */
public final class EpochNanos {
  private static final long PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private static final String FORM = "0000-00-00T00:00:00.000000000Z";
  private static final int SECOND_CHARS = 19;
  private static final int FRACTION_END = 29;

  private EpochNanos() {}

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
    return isOurs(at)
        ? of(Instant.ofEpochSecond(second(at), number(at, SECOND_CHARS + 1, FRACTION_END)))
        : of(Instant.parse(at));
  }

  /** As the journal writes them; what else can be a time takes ten times as long to read. */
  private static boolean isOurs(String at) {
    if (at.length() != FORM.length()) {
      return false;
    }
    for (int i = 0; i < FORM.length(); i++) {
      char wanted = FORM.charAt(i);
      char c = at.charAt(i);
      if (wanted == '0' ? c < '0' || c > '9' : c != wanted) {
        return false;
      }
    }
    return true;
  }

  private static long second(String at) {
    return LocalDateTime.of(
            number(at, 0, 4),
            number(at, 5, 7),
            number(at, 8, 10),
            number(at, 11, 13),
            number(at, 14, 16),
            number(at, 17, SECOND_CHARS))
        .toEpochSecond(ZoneOffset.UTC);
  }

  private static int number(String at, int from, int to) {
    return Integer.parseInt(at, from, to, 10);
  }

  public static Instant at(long nanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(nanos, PER_SECOND), Math.floorMod(nanos, PER_SECOND));
  }
}
