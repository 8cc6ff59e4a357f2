package gatebook.query.counts;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.tree.Sha256;
import gatebook.query.projection.NewestFirst;
import gatebook.query.projection.SeededTable;
import gatebook.query.trend.TimeSpan;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * A table with counts of the rows of another table: a row for each interval of time, with a tally
 * for each key that its rows have. Rows with the same key have the same values in all columns by
 * which the counts are grouped. A row without a key is not counted.
 *
 * <p>The counted table has the column {@code times}, how often a row counts, and the index of
 * {@code rows}. Neither the time nor the key of a row with a key changes, and when such rows are
 * deleted, the counts of their hours are made again.
 *
 * @param rows the counted rows
 * @param key the column with the key
 * @param columns those in which the rows of a key have the same values
 */
public record CountTable(String name, NewestFirst rows, String key, List<String> columns)
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

  /**
   * Makes the counts of some hours again, after rows were deleted from them or added to them
   * otherwise than by a batch.
   *
   * @param hours the first moment of each, in nanoseconds
   */
  public void recount(Connection view, Collection<Long> hours) throws SQLException {
    CountBatch.recount(
        view, this, hours.stream().map(CountInterval.HOUR::number).collect(Collectors.toSet()));
  }

  /** The tallies are absent when the interval has too many keys: its parts have them, or none. */
  @Override
  public List<String> statements() {
    return List.of(
        "CREATE TABLE %s (slot BIGINT PRIMARY KEY, times BIGINT NOT NULL, tallies VARBINARY)"
            .formatted(name));
  }

  /** Counts the rows that were copied, the latest first. */
  @Override
  public Filling filling(Connection view, String oldSchema, long upTo) {
    AtomicLong counted = new AtomicLong(Long.MAX_VALUE);
    return () -> {
      long from = beginOfRowsBefore(view, counted.get());
      CountBatch.ofRowsIn(view, this, from, counted.get()).write();
      counted.set(from);
      return from > Long.MIN_VALUE;
    };
  }

  /** The time of the first of the rows before a time that are counted at once. */
  private long beginOfRowsBefore(Connection view, long to) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s FROM %s WHERE %s < ? ORDER BY %s LIMIT 1 OFFSET ?"
                .formatted(rows.at(), rows.byTime(), rows.at(), rows.index()))) {
      select.setLong(1, to);
      select.setInt(2, ROWS_AT_ONCE);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? row.getLong(1) : Long.MIN_VALUE;
      }
    }
  }

  /** The times of the first and of the last row, also of those without a key; 0 without rows. */
  TimeSpan rowTimes(Connection view) throws SQLException {
    String at = rows.at();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT (SELECT MIN(%s) FROM %s), (SELECT %s FROM %s WHERE %s <= ? ORDER BY %s LIMIT 1)"
                .formatted(at, rows.table(), at, rows.byTime(), at, rows.index()))) {
      select.setLong(1, Long.MAX_VALUE);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return new TimeSpan(row.getLong(1), row.getLong(2));
      }
    }
  }
}
