package gatebook.query.projection;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

/**
 * Converts times to nanoseconds since the epoch (1970), as views store them. They last until 2262.
 */
public final class EpochNanos {
  private static final long PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private static final String JOURNAL_FORMAT = "0000-00-00T00:00:00.000000000Z";
  private static final int SECOND_CHARS = 19;
  private static final int FRACTION_END = 29;

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
    return isJournalFormat(at)
        ? of(Instant.ofEpochSecond(second(at), number(at, SECOND_CHARS + 1, FRACTION_END)))
        : of(Instant.parse(at));
  }

  /**
   * Whether the text has the journal's own format. Other formats of a time take ten times as long
   * to parse.
   */
  private static boolean isJournalFormat(String at) {
    if (at.length() != JOURNAL_FORMAT.length()) {
      return false;
    }
    for (int i = 0; i < JOURNAL_FORMAT.length(); i++) {
      char wanted = JOURNAL_FORMAT.charAt(i);
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

  public static Instant toInstant(long nanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(nanos, PER_SECOND), Math.floorMod(nanos, PER_SECOND));
  }
}
