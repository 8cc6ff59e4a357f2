package gatebook.query.calls;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * The buckets of time that a call belongs to: a minute, an hour, a day, and longer ones. A time
 * span consists of few buckets, since it has small ones at its ends only.
 */
final class TimeBuckets {
  private record Level(CallProperty property, long nanos) {
    int number(long bucket) {
      return property.number(bucket);
    }
  }

  /** The length of each is a multiple of that of the one before. */
  private static final List<Level> LEVELS =
      List.of(
          new Level(CallProperty.MINUTE, TimeUnit.MINUTES.toNanos(1)),
          new Level(CallProperty.HOUR, TimeUnit.HOURS.toNanos(1)),
          new Level(CallProperty.DAY, TimeUnit.DAYS.toNanos(1)),
          new Level(CallProperty.MONTH, TimeUnit.DAYS.toNanos(30)),
          new Level(CallProperty.YEAR, TimeUnit.DAYS.toNanos(360)));

  /** Times before the first year are in its buckets, and those after the last one in its. */
  private static final long YEARS = 120;

  private static final long LAST = YEARS * LEVELS.getLast().nanos - 1;

  private TimeBuckets() {}

  /** Passes the number of each bucket that a time is in. */
  static void of(long at, IntConsumer numbers) {
    long within = Math.clamp(at, 0, LAST);
    for (Level level : LEVELS) {
      numbers.accept(level.number(within / level.nanos));
    }
  }

  /**
   * Passes the numbers of buckets that together have all times of a span, and a few more.
   *
   * @param since the first time
   * @param last the last time
   */
  static void covering(long since, long last, IntConsumer numbers) {
    covering(0, Math.clamp(since, 0, LAST), Math.clamp(last, 0, LAST), numbers);
  }

  private static void covering(int index, long since, long last, IntConsumer numbers) {
    Level level = LEVELS.get(index);
    boolean isLongest = index + 1 == LEVELS.size();
    long inNext = isLongest ? 0 : LEVELS.get(index + 1).nanos / level.nanos;
    long first = since / level.nanos;
    long end = last / level.nanos;
    while (first <= end && (isLongest || first % inNext != 0)) {
      numbers.accept(level.number(first++));
    }
    while (first <= end && (end + 1) % inNext != 0) {
      numbers.accept(level.number(end--));
    }
    if (first <= end) {
      covering(index + 1, first * level.nanos, end * level.nanos, numbers);
    }
  }
}
