package gatebook.query.counts;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.tree.Sha256;
import gatebook.query.projection.SeededTable;
import gatebook.query.trend.TimeSpan;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A table with counts of the rows of another table: a row for each interval of time, with a tally
 * for each key that its rows have, and with the first and the last of their places, so that the
 * rows of a time are found without an index. Rows with the same key have the same values in all
 * columns by which the counts are grouped. A row without a key is in no tally.
 *
 * <p>The counted table has the primary key {@code place}, and the column {@code times}, how often a
 * row counts. Neither the time nor the key of a row with a key changes, and when rows are deleted,
 * the counts of their hours are made again.
 *
 * @param rows the counted table
 * @param at the column with the time; rows without a time are not counted
 * @param key the column with the key, or {@code NULL} where no row has one
 * @param columns those in which the rows of a key have the same values
 */
public record CountTable(String name, String rows, String at, String key, List<String> columns)
    implements SeededTable {
  /** About so many rows are counted at once when the table is filled. */
  private static final int ROWS_AT_ONCE = 5_000;

  public CountTable {
    columns = List.copyOf(columns);
  }

  /** The key of the rows with these values; collisions are improbable enough to be ignored. */
  public static long key(String values) {
    return ByteBuffer.wrap(Sha256.of(values.getBytes(UTF_8))).getLong();
  }

  /** The hours of the rows at some places, from the first to the last. */
  public List<Long> hours(Connection view, long first, long last) throws SQLException {
    List<Long> hours = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT DISTINCT %s FROM %s WHERE %s"
                .formatted(CountInterval.HOUR.begin(at), rows, isIn()))) {
      int _ = setIn(select, 1, TimeSpan.ALL, new PlaceRange(first, last));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          hours.add(CountInterval.HOUR.number(row.getLong(1)));
        }
      }
    }
    return hours;
  }

  /** Makes the counts of some hours again, after rows were deleted from them. */
  public void recount(Connection view, Collection<Long> hours) throws SQLException {
    try (CountWriter countWriter = new CountWriter(view, this, Long.MAX_VALUE)) {
      countWriter.recount(hours);
    }
  }

  /** The tallies are absent when the interval has too many keys: its parts have them, or none. */
  @Override
  public List<String> statements() {
    return List.of(
        "CREATE TABLE %s (slot BIGINT PRIMARY KEY, times BIGINT NOT NULL, first_at BIGINT NOT NULL, last_at BIGINT NOT NULL, first_place BIGINT NOT NULL, last_place BIGINT NOT NULL, tallies VARBINARY)"
            .formatted(name));
  }

  /** Counts the rows that were copied, in the order of their places. */
  @Override
  public Filling filling(Connection view, String oldSchema, long upTo) {
    AtomicLong next = new AtomicLong(Long.MIN_VALUE);
    return () -> {
      PlaceRange places = new PlaceRange(next.get(), lastOfRowsFrom(view, next.get()));
      try (CountWriter countWriter = new CountWriter(view, this, places.last())) {
        countWriter.add(rows(view, TimeSpan.ALL, places));
      }
      next.set(places.last() + 1);
      return places.last() < Long.MAX_VALUE;
    };
  }

  /** The place of the last of the rows from a place on that are counted at once. */
  private long lastOfRowsFrom(Connection view, long first) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT place FROM %s WHERE place >= ? ORDER BY place LIMIT 1 OFFSET ?"
                .formatted(rows))) {
      select.setLong(1, first);
      select.setInt(2, ROWS_AT_ONCE);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? row.getLong(1) : Long.MAX_VALUE;
      }
    }
  }

  /** Sums up the rows of a time that have these places. */
  RowSums rows(Connection view, TimeSpan span, PlaceRange places) throws SQLException {
    RowSums found = new RowSums();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s, %s, times, place FROM %s WHERE %s".formatted(at, key, rows, isIn()))) {
      int _ = setIn(select, 1, span, places);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          found.add(row.getLong(1), row.getObject(2, Long.class), row.getLong(3), row.getLong(4));
        }
      }
    }
    return found;
  }

  /** The condition that a row is of a time and has one of these places, in SQL. */
  String isIn() {
    return "%1$s >= ? AND %1$s < ? AND place >= ? AND place <= ?".formatted(at);
  }

  /**
   * Sets the parameters of {@link #isIn}, beginning with the number {@code first}; returns the next
   * number.
   */
  static int setIn(PreparedStatement statement, int first, TimeSpan span, PlaceRange places)
      throws SQLException {
    statement.setLong(first, span.from());
    statement.setLong(first + 1, span.to());
    statement.setLong(first + 2, places.first());
    statement.setLong(first + 3, places.last());
    return first + 4;
  }

  /** The intervals of a length that have rows and overlap with a time, in their order. */
  List<CountedInterval> intervals(Connection view, CountInterval length, TimeSpan span)
      throws SQLException {
    List<CountedInterval> intervals = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s FROM %s WHERE slot >= ? AND slot <= ? ORDER BY slot"
                .formatted(CountedInterval.COLUMNS, name))) {
      select.setLong(1, length.slot(length.number(span.from())));
      select.setLong(2, length.slot(length.number(span.to() - 1)));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          intervals.add(CountedInterval.of(row));
        }
      }
    }
    return intervals;
  }

  /** The times of the first and of the last row, also of those without a key; 0 without rows. */
  TimeSpan rowTimes(Connection view) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT MIN(first_at), MAX(last_at) FROM %s WHERE slot < ?".formatted(name))) {
      select.setLong(1, CountInterval.DAYS_64.endSlot());
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return new TimeSpan(row.getLong(1), row.getLong(2));
      }
    }
  }
}
