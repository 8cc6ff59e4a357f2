package gatebook.query.counts;

import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/**
 * Reads a time piece by piece: the whole intervals in it, the longest first, and the rows of what
 * is left at its ends.
 */
final class PieceReader {
  private final Connection view;
  private final CountTable table;
  private final Set<Long> withParts;
  private final PartTallies tallies = new PartTallies();

  /** {@code withParts} are the slots with counts of their parts, as far as spans end in them. */
  PieceReader(Connection view, CountTable table, Set<Long> withParts) {
    this.view = view;
    this.table = table;
    this.withParts = withParts;
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
    if (span.from() < span.to()) {
      boolean hasParts = withParts.contains(interval.slot(interval.number(span.from())));
      readWithin(interval, hasParts, span, part);
    }
  }

  private void readWithin(CountInterval interval, boolean hasParts, TimeSpan span, long part)
      throws SQLException {
    if (interval.alwaysHasParts() || hasParts) {
      read(interval.parts().orElseThrow(), span, part);
    } else {
      readRows(span, part);
    }
  }

  private record WithoutTallies(long number, boolean hasParts) {}

  private void readWhole(CountInterval interval, TimeSpan whole, LongUnaryOperator part)
      throws SQLException {
    if (whole.from() == whole.to()) {
      return;
    }
    List<WithoutTallies> withoutTallies = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT slot, times, tallies FROM %s WHERE slot >= ? AND slot < ?"
                .formatted(table.name()))) {
      select.setLong(1, interval.slotAt(whole.from()));
      select.setLong(2, interval.slotAt(whole.to()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          long number = interval.numberOfSlot(row.getLong(1));
          byte[] bytes = row.getBytes(3);
          if (bytes == null) {
            withoutTallies.add(
                new WithoutTallies(
                    number, interval.mayHaveParts() && row.getLong(2) >= CountInterval.MANY));
          } else {
            KeyTallies.addTo(tallies.of(part.applyAsLong(number)), bytes);
          }
        }
      }
    }
    for (WithoutTallies one : withoutTallies) {
      readWithin(
          interval,
          one.hasParts,
          new TimeSpan(interval.begin(one.number), interval.begin(one.number + 1)),
          part.applyAsLong(one.number));
    }
  }

  private void readRows(TimeSpan span, long part) throws SQLException {
    readRows(span, "", _ -> part);
  }

  /** Reads the rows of whole minutes, each as the part with its beginning. */
  void readMinuteRows(TimeSpan span) throws SQLException {
    if (span.from() < span.to()) {
      readRows(span, ", " + CountInterval.MINUTE.begin(table.rows().at()), row -> row.getLong(6));
    }
  }

  /** The part that a row has. */
  @FunctionalInterface
  private interface PartOf {
    long of(ResultSet row) throws SQLException;
  }

  /** {@code also} is by what the rows are grouped besides their key. */
  private void readRows(TimeSpan span, String also, PartOf partOf) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %1$s, SUM(times), MIN(%2$s), MAX(%2$s), MAX(%3$s)%4$s FROM %5$s WHERE %2$s >= ? AND %2$s < ? AND %1$s IS NOT NULL GROUP BY %1$s%4$s"
                .formatted(
                    table.key(),
                    table.rows().at(),
                    table.rows().key(),
                    also,
                    table.rows().byTime()))) {
      select.setLong(1, span.from());
      select.setLong(2, span.to());
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
