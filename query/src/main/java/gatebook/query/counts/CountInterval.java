package gatebook.query.counts;

import gatebook.query.trend.TimeSpan;
import java.time.Duration;
import java.util.Optional;

/**
 * The intervals of time that have counts of their own, from the longest on. Each consists of whole
 * intervals of the next length.
 *
 * <p>Hours and longer intervals always have counts. The parts of an hour have them only when the
 * hour counts many, and those of a minute when the minute does: so a time that is no whole interval
 * is counted from a few rows, however many there are.
 */
public enum CountInterval {
  /** Keeps small the number of intervals in some years. */
  DAYS_64(0, Duration.ofDays(64)),
  DAY(1, Duration.ofDays(1)),
  HOUR(2, Duration.ofHours(1)),
  MINUTE(3, Duration.ofMinutes(1)),
  SECOND(4, Duration.ofSeconds(1)),
  CENTISECOND(5, Duration.ofMillis(10));

  /** An interval that counts so many has counts of its parts. */
  static final long MANY = 256;

  /** The numbers of all intervals of a length are within this distance of zero. */
  private static final long NUMBERS = 1L << 47;

  private final long firstSlot;
  private final long nanos;

  CountInterval(int place, Duration length) {
    this.firstSlot = 2 * NUMBERS * place;
    this.nanos = length.toNanos();
  }

  /** The length. */
  public long nanos() {
    return nanos;
  }

  /** The number of the interval that contains a time. */
  long number(long at) {
    return Math.floorDiv(at, nanos);
  }

  /** The beginning of the interval with a number, or the first or last time that there is. */
  long begin(long number) {
    if (number < Long.MIN_VALUE / nanos) {
      return Long.MIN_VALUE;
    }
    return number > Long.MAX_VALUE / nanos ? Long.MAX_VALUE : number * nanos;
  }

  /** The time of the interval with a number. */
  TimeSpan time(long number) {
    return new TimeSpan(begin(number), begin(number + 1));
  }

  /** The beginning of the interval that contains the time in a column, in SQL. */
  String begin(String column) {
    return "%s - MOD(%s, %d)".formatted(column, column, nanos);
  }

  /** Identifies an interval among those of all lengths; slots of one length are in its order. */
  long slot(long number) {
    return firstSlot() + NUMBERS + number;
  }

  /** The length of the interval that a slot identifies. */
  static CountInterval ofSlot(long slot) {
    return values()[(int) (slot / (2 * NUMBERS))];
  }

  long numberOfSlot(long slot) {
    return slot - NUMBERS - firstSlot();
  }

  /** The slots of this length begin here. */
  long firstSlot() {
    return firstSlot;
  }

  /** The slots of this length are before this one. */
  long endSlot() {
    return firstSlot() + 2 * NUMBERS;
  }

  /** The slot of an interval that begins at a time; the last time there is stands for no time. */
  long slotAt(long begin) {
    return begin == Long.MAX_VALUE ? endSlot() : slot(number(begin));
  }

  /**
   * The whole intervals in a span, which may be without a beginning or an end. The result ends
   * before it begins when the span begins and ends within one interval.
   */
  TimeSpan wholeIn(TimeSpan span) {
    long from = span.from();
    long to = span.to();
    return new TimeSpan(
        from == Long.MIN_VALUE ? from : begin(Math.ceilDiv(from, nanos)),
        to == Long.MAX_VALUE ? to : begin(number(to)));
  }

  /** The length of its parts; empty for the shortest one. */
  Optional<CountInterval> parts() {
    return switch (this) {
      case DAYS_64 -> Optional.of(DAY);
      case DAY -> Optional.of(HOUR);
      case HOUR -> Optional.of(MINUTE);
      case MINUTE -> Optional.of(SECOND);
      case SECOND -> Optional.of(CENTISECOND);
      case CENTISECOND -> Optional.empty();
    };
  }

  /** Whether its parts have counts also when it counts few. */
  boolean alwaysHasParts() {
    return compareTo(HOUR) < 0;
  }

  /** Whether its parts have counts only when it counts many. */
  boolean mayHaveParts() {
    return !alwaysHasParts() && this != CENTISECOND;
  }
}
