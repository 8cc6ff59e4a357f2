package gatebook.query.faults;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Where counts are going: the later half of a time against the earlier one. Only parts of it in
 * which the journal recorded count, and nothing is said of too little: neither of less than five
 * minutes, nor, but for what is new, of fewer than ten errors. Rising and falling is what differs
 * by more than half, and by more than chance would have it.
 */
public enum Trend {
  /** There was none in the earlier half. */
  NEW("new"),
  RISING("rising"),
  STEADY("steady"),
  FALLING("falling"),
  /** There were too few, or it was too short a time, to tell. */
  UNCLEAR("unclear");

  /** In less time, whoever tries again a few times looks like a course. */
  static final long NANOS_MIN = TimeUnit.MINUTES.toNanos(5);

  static final long COUNT_MIN = 10;

  /** What is more than this much more, or less, is not steady. */
  private static final double FACTOR = 1.5;

  /** What comes by chance differs by as many times the root of the count in one of twenty cases. */
  private static final double DEVIATIONS = 2;

  private final String word;

  Trend(String word) {
    this.word = word;
  }

  /** The name outside this program; it never changes. */
  @JsonValue
  public String word() {
    return word;
  }

  /** Of counts in parts of a time that are equally long; each may have been recorded or not. */
  static Trend of(long[] counts, Recorded recorded) {
    int half = recorded.parts() / 2;
    if (2L * half * recorded.partNanos() < NANOS_MIN) {
      return UNCLEAR;
    }
    int middle = recorded.to() - half;
    return of(sum(counts, middle - half, middle), sum(counts, middle, recorded.to()));
  }

  /**
   * Which parts of a time the journal recorded, from their beginning to their end.
   *
   * @param from the first of them
   * @param to the one after the last
   */
  record Recorded(int from, int to, long partNanos) {
    int parts() {
      return Math.max(0, to - from);
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
        ? course(earlier, later)
        : STEADY;
  }

  private static Trend course(long earlier, long later) {
    if (later > earlier * FACTOR) {
      return RISING;
    }
    return later * FACTOR < earlier ? FALLING : STEADY;
  }
}
