package gatebook.query.counts;

import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Finds the places of the rows of a time in its counts, which have those of each interval. Nearly
 * always, few other rows have places between them, because times are nearly in the order of places.
 */
final class PlaceFinder {
  private static final Comparator<CountedInterval> BY_LAST_PLACE =
      Comparator.comparingLong(interval -> interval.places().last());

  private final Connection view;
  private final CountTable table;
  private final TimeSpan span;
  private long before = Long.MAX_VALUE;

  /** Intervals whose places overlap are together. The highest places are the first. */
  private final Deque<Overlap> overlaps = new ArrayDeque<>();

  /** Intervals, and the range of all their places. */
  private record Overlap(List<CountedInterval> intervals, PlaceRange places) {}

  PlaceFinder(Connection view, CountTable table, TimeSpan span) {
    this.view = view;
    this.table = table;
    this.span = span;
  }

  /** One range with the places of all rows of the time. */
  PlaceRange range() throws SQLException {
    return range(CountInterval.DAYS_64, span);
  }

  private PlaceRange range(CountInterval length, TimeSpan part) throws SQLException {
    PlaceRange range = PlaceRange.NONE;
    for (CountedInterval interval : table.intervals(view, length, part)) {
      range =
          range.plus(
              isDivided(interval)
                  ? range(length.parts().orElseThrow(), interval.time().within(span))
                  : interval.places());
    }
    return range;
  }

  /** Whether the time begins or ends within an interval whose parts have counts. */
  private boolean isDivided(CountedInterval interval) {
    return interval.hasParts() && !interval.time().within(span).equals(interval.time());
  }

  /**
   * Begins to find ranges by hours, or by shorter intervals at the ends of the time.
   *
   * @param before ranges are left out whose places are not before this one
   */
  PlaceFinder byHours(long before) throws SQLException {
    this.before = before;
    addOverlaps(table.intervals(view, CountInterval.DAYS_64, span));
    return this;
  }

  /** The next range with places of such rows, below those before it; empty after the last. */
  Optional<PlaceRange> next() throws SQLException {
    while (!overlaps.isEmpty()) {
      Overlap highest = overlaps.pop();
      List<CountedInterval> parts = new ArrayList<>();
      boolean isWhole = true;
      for (CountedInterval interval : highest.intervals) {
        if (interval.length().alwaysHasParts() || isDivided(interval)) {
          isWhole = false;
          parts.addAll(
              table.intervals(
                  view, interval.length().parts().orElseThrow(), interval.time().within(span)));
        } else {
          parts.add(interval);
        }
      }
      if (isWhole) {
        return Optional.of(highest.places);
      }
      addOverlaps(parts);
    }
    return Optional.empty();
  }

  private void addOverlaps(List<CountedInterval> intervals) {
    List<CountedInterval> together = new ArrayList<>();
    PlaceRange places = PlaceRange.NONE;
    intervals.sort(BY_LAST_PLACE);
    Deque<Overlap> added = new ArrayDeque<>();
    for (CountedInterval interval : intervals.reversed()) {
      if (!together.isEmpty() && interval.places().last() < places.first()) {
        added.push(new Overlap(together, places));
        together = new ArrayList<>();
        places = PlaceRange.NONE;
      }
      together.add(interval);
      places = places.plus(interval.places());
    }
    if (!together.isEmpty()) {
      added.push(new Overlap(together, places));
    }
    added.stream().filter(it -> it.places.first() < before).forEach(overlaps::push);
  }
}
