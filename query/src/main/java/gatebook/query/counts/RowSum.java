package gatebook.query.counts;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The sum of the rows with a key, or of those without one, in one of the shortest intervals. */
final class RowSum {
  private final long number;
  private final @Nullable Long key;
  private long times;
  private long firstAt = Long.MAX_VALUE;
  private long lastAt = Long.MIN_VALUE;
  private long firstPlace = Long.MAX_VALUE;
  private long lastPlace = Long.MIN_VALUE;

  RowSum(long number, @Nullable Long key) {
    this.number = number;
    this.key = key;
  }

  boolean isOf(long otherNumber, @Nullable Long otherKey) {
    return number == otherNumber && Objects.equals(key, otherKey);
  }

  void add(long at, long more, long place) {
    times += more;
    firstAt = Math.min(firstAt, at);
    lastAt = Math.max(lastAt, at);
    firstPlace = Math.min(firstPlace, place);
    lastPlace = Math.max(lastPlace, place);
  }

  @Nullable Long key() {
    return key;
  }

  PlaceRange places() {
    return new PlaceRange(firstPlace, lastPlace);
  }

  Tally tally() {
    return new Tally(times, firstAt, lastAt, lastPlace);
  }
}
