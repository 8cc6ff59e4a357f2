package gatebook.query.trend;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The trend of counts: compares the later half of a time span with the earlier one. Only parts that
 * the journal recorded completely count. Spans of less than five minutes have no trend, and neither
 * have fewer than ten, unless they are new. Rising or falling means a difference of more than half
 * that is also more than chance explains.
 */
public enum Trend {
  /** The earlier half has none. */
  NEW("new"),
  RISING("rising"),
  STEADY("steady"),
  FALLING("falling"),
  /** Too few, or too short a time. */
  UNCLEAR("unclear");

  /** In a shorter time, a few retries of one caller would look like a trend. */
  static final long NANOS_MIN = TimeUnit.MINUTES.toNanos(5);

  static final long COUNT_MIN = 10;

  /** The ratio of the halves above which they are not steady. */
  private static final double FACTOR = 1.5;

  /** The difference, in square roots of the count, that chance exceeds in one of twenty cases. */
  private static final double DEVIATIONS = 2;

  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  private final String word;

  Trend(String word) {
    this.word = word;
  }

  /** The name used outside this program; it never changes. */
  @JsonValue
  public String word() {
    return word;
  }

  /**
   * The trend of counts in equally long parts, of which those in {@code recorded} were recorded.
   */
  public static Trend of(long[] counts, Recorded recorded) {
    int half = recorded.half();
    int middle = recorded.to() - half;
    return ofHalves(
        sum(counts, middle - half, middle),
        sum(counts, middle, recorded.to()),
        2L * half * recorded.partNanos());
  }

  /** The trend of counts in two halves of a time of which all was recorded. */
  public static Trend ofHalves(long earlier, long later, long nanos) {
    return nanos < NANOS_MIN ? UNCLEAR : of(earlier, later);
  }

  /**
   * The trend of a count in the last hour against one in the time before, of which so much was
   * recorded. Chance gives the last hour its share of both.
   */
  public static Trend ofRates(long lastHour, long before, long beforeNanos) {
    if (beforeNanos < NANOS_MIN) {
      return UNCLEAR;
    }
    if (before == 0 && lastHour > 0) {
      return NEW;
    }
    long count = lastHour + before;
    if (count < COUNT_MIN) {
      return UNCLEAR;
    }
    double share = (double) HOUR / (HOUR + beforeNanos);
    double deviation = Math.sqrt(count * share * (1 - share));
    return Math.abs(lastHour - count * share) > DEVIATIONS * deviation
        ? direction((double) before * HOUR / beforeNanos, (double) lastHour)
        : STEADY;
  }

  /**
   * The parts of a time span that the journal recorded completely.
   *
   * @param from the first part
   * @param to the part after the last
   */
  public record Recorded(int from, int to, long partNanos) {
    /** The number of parts in each half; of an odd number, the first part is in none. */
    int half() {
      return Math.max(0, to - from) / 2;
    }
  }

  private static long sum(long[] counts, int from, int to) {
    return Arrays.stream(counts, from, to).sum();
  }

  private static Trend of(long earlier, long later) {
    if (earlier == 0 && later > 0) {
      return NEW;
    }
    long count = earlier + later;
    if (count < COUNT_MIN) {
      return UNCLEAR;
    }
    return Math.abs(later - earlier) > DEVIATIONS * Math.sqrt((double) count)
        ? direction((double) earlier, (double) later)
        : STEADY;
  }

  private static Trend direction(double earlier, double later) {
    if (later > earlier * FACTOR) {
      return RISING;
    }
    return later * FACTOR < earlier ? FALLING : STEADY;
  }
}
