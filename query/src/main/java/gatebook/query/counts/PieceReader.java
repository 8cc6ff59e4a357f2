package gatebook.query.counts;

import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * Reads a time piece by piece: the whole intervals in it, the longest first, and the rows of what
 * is left at its ends.
 */
final class PieceReader {
  private final Connection view;
  private final CountTable table;
  private final Map<Long, CountedInterval> ends;
  private final PartTallies tallies = new PartTallies();

  /**
   * {@code ends} has the intervals in which spans begin or end, by slot: of an hour and shorter.
   */
  PieceReader(Connection view, CountTable table, Map<Long, CountedInterval> ends) {
    this.view = view;
    this.table = table;
    this.ends = ends;
  }

  /** What was read. */
  PartTallies tallies() {
    return tallies;
  }

  /** Reads a span as a part: its intervals of this length, and what is left of it. */
  void read(CountInterval interval, TimeSpan span, long part) throws SQLException {
    if (span.from() >= span.to()) {
      return;
    }
    TimeSpan whole = interval.wholeIn(span);
    if (whole.from() > whole.to()) {
      readWithin(interval, span, part);
      return;
    }
    readWhole(interval, whole, _ -> part);
    readWithin(interval, new TimeSpan(span.from(), whole.from()), part);
    readWithin(interval, new TimeSpan(whole.to(), span.to()), part);
  }

  /** Reads whole intervals, each as the part with its beginning. */
  void readEach(CountInterval interval, TimeSpan whole) throws SQLException {
    readWhole(interval, whole, interval::begin);
  }

  /** Reads a span within one interval. */
  private void readWithin(CountInterval interval, TimeSpan span, long part) throws SQLException {
    if (span.from() >= span.to()) {
      return;
    }
    if (interval.alwaysHasParts()) {
      read(interval.parts().orElseThrow(), span, part);
      return;
    }
    CountedInterval counted = ends.get(interval.slot(interval.number(span.from())));
    if (counted != null) {
      readWithin(counted, span, part);
    }
  }

  private void readWithin(CountedInterval interval, TimeSpan span, long part) throws SQLException {
    if (interval.hasParts()) {
      read(interval.length().parts().orElseThrow(), span, part);
    } else {
      readRows(span, interval.places(), "", _ -> part);
    }
  }

  private void readWhole(CountInterval interval, TimeSpan whole, LongUnaryOperator part)
      throws SQLException {
    if (whole.from() == whole.to()) {
      return;
    }
    List<CountedInterval> withoutTallies = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s, tallies FROM %s WHERE slot >= ? AND slot < ?"
                .formatted(CountedInterval.COLUMNS, table.name()))) {
      select.setLong(1, interval.slotAt(whole.from()));
      select.setLong(2, interval.slotAt(whole.to()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          CountedInterval counted = CountedInterval.of(row);
          byte[] bytes = row.getBytes(5);
          if (bytes == null) {
            withoutTallies.add(counted);
          } else {
            KeyTallies.addTo(tallies.of(part.applyAsLong(counted.number())), bytes);
          }
        }
      }
    }
    for (CountedInterval one : withoutTallies) {
      readWithin(one, one.time(), part.applyAsLong(one.number()));
    }
  }

  /**
   * Reads the rows of whole minutes, each as the part with its beginning.
   *
   * @param places has those of all the rows
   */
  void readMinuteRows(TimeSpan span, PlaceRange places) throws SQLException {
    if (span.from() < span.to()) {
      String minute = ", " + CountInterval.MINUTE.begin(table.at());
      readRows(span, places, minute, row -> row.getLong(6));
    }
  }

  /** The part that a row has. */
  @FunctionalInterface
  private interface PartOf {
    long of(ResultSet row) throws SQLException;
  }

  /** {@code also} is by what the rows are grouped besides their key. */
  private void readRows(TimeSpan span, PlaceRange places, String also, PartOf partOf)
      throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %1$s, SUM(times), MIN(%2$s), MAX(%2$s), MAX(place)%3$s FROM %4$s WHERE %5$s AND %1$s IS NOT NULL GROUP BY %1$s%3$s"
                .formatted(table.key(), table.at(), also, table.rows(), table.isIn()))) {
      int _ = CountTable.setIn(select, 1, span, places);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          add(partOf.of(row), row);
        }
      }
    }
  }

  private void add(long part, ResultSet row) throws SQLException {
    tallies.add(
        part,
        row.getLong(1),
        new Tally(row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5)));
  }
}
