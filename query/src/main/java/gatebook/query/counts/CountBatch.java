package gatebook.query.counts;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A batch of new rows to be counted. They are summed up in memory, so that each interval costs one
 * write, however many rows it has.
 */
public final class CountBatch {
  private final Connection view;
  private final CountTable table;

  /** All rows from this time on are counted, or are in the batch. */
  private final long begin;

  private final List<CountedRow> rows;

  private CountBatch(Connection view, CountTable table, long begin, List<CountedRow> rows) {
    this.view = view;
    this.table = table;
    this.begin = begin;
    this.rows = rows;
  }

  public CountBatch(Connection view, CountTable table) {
    this(view, table, Long.MIN_VALUE, new ArrayList<>());
  }

  /**
   * The batch of all rows of a time. The rows after it are counted, and none of those before it.
   */
  static CountBatch ofRowsIn(Connection view, CountTable table, long from, long to)
      throws SQLException {
    return new CountBatch(view, table, from, rowsIn(view, table, from, to));
  }

  /** Counts the rows of some hours again, after rows were deleted from them or added to them. */
  static void recount(Connection view, CountTable table, Collection<Long> hours)
      throws SQLException {
    CountInterval interval = CountInterval.HOUR;
    CountBatch batch = new CountBatch(view, table);
    for (long hour : new TreeSet<>(hours)) {
      batch.deleteWithParts(hour);
      List<CountedRow> all = rowsIn(view, table, interval.begin(hour), interval.begin(hour + 1));
      batch.add(interval, all, true);
    }
    batch.sumUp(CountInterval.DAY, hours);
    batch.sumUp(CountInterval.DAYS_64, hours);
  }

  private void deleteWithParts(long hour) throws SQLException {
    Optional<CountInterval> length = Optional.of(CountInterval.HOUR);
    while (length.isPresent()) {
      CountInterval interval = length.get();
      try (PreparedStatement delete =
          view.prepareStatement(
              "DELETE FROM %s WHERE slot >= ? AND slot < ?".formatted(table.name()))) {
        delete.setLong(1, interval.slotAt(CountInterval.HOUR.begin(hour)));
        delete.setLong(2, interval.slotAt(CountInterval.HOUR.begin(hour + 1)));
        int _ = delete.executeUpdate();
      }
      length = interval.parts();
    }
  }

  /** Makes the counts of the intervals that contain some hours from those of their parts. */
  private void sumUp(CountInterval interval, Collection<Long> hours) throws SQLException {
    Set<Long> numbers = new TreeSet<>();
    hours.forEach(hour -> numbers.add(interval.number(CountInterval.HOUR.begin(hour))));
    for (long number : numbers) {
      Optional<Counts> sum = sumOfParts(interval, number);
      long slot = interval.slot(number);
      if (sum.isPresent()) {
        write(slot, sum.get(), stored(slot).isPresent());
      } else {
        delete(slot);
      }
    }
  }

  private Optional<Counts> sumOfParts(CountInterval interval, long number) throws SQLException {
    CountInterval parts = interval.parts().orElseThrow();
    long times = 0;
    boolean hasTallies = true;
    TreeMap<Long, Tally> byKey = new TreeMap<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT times, tallies FROM %s WHERE slot >= ? AND slot < ?".formatted(table.name()))) {
      select.setLong(1, parts.slotAt(interval.begin(number)));
      select.setLong(2, parts.slotAt(interval.begin(number + 1)));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          times += row.getLong(1);
          byte[] tallies = row.getBytes(2);
          hasTallies &= tallies != null;
          if (tallies != null) {
            KeyTallies.addTo(byKey, tallies);
          }
        }
      }
    }
    return times == 0
        ? Optional.empty()
        : Optional.of(new Counts(times, hasTallies ? KeyTallies.write(byKey) : null));
  }

  private void delete(long slot) throws SQLException {
    try (PreparedStatement delete =
        view.prepareStatement("DELETE FROM %s WHERE slot = ?".formatted(table.name()))) {
      delete.setLong(1, slot);
      int _ = delete.executeUpdate();
    }
  }

  private record CountedRow(long at, long key, Tally tally) {}

  /**
   * Adds a row.
   *
   * @param times how often it counts
   */
  public void add(long at, long key, long times, long place) {
    rows.add(row(at, key, times, place));
  }

  private static CountedRow row(long at, long key, long times, long place) {
    return new CountedRow(at, key, new Tally(times, at, at, place));
  }

  /** Writes the counts. The rows are in their table already. */
  public void write() throws SQLException {
    if (!rows.isEmpty()) {
      add(CountInterval.DAYS_64, rows, false);
    }
  }

  /**
   * Adds rows to the counts of intervals and of their parts.
   *
   * @param all whether these are all rows of their intervals, which have no counts yet
   */
  private void add(CountInterval interval, List<CountedRow> added, boolean all)
      throws SQLException {
    Map<Long, List<CountedRow>> byNumber = new TreeMap<>();
    for (CountedRow row : added) {
      byNumber.computeIfAbsent(interval.number(row.at), _ -> new ArrayList<>()).add(row);
    }
    for (Map.Entry<Long, List<CountedRow>> one : byNumber.entrySet()) {
      add(interval, one.getKey(), one.getValue(), all);
    }
  }

  private void add(CountInterval interval, long number, List<CountedRow> added, boolean all)
      throws SQLException {
    long slot = interval.slot(number);
    Optional<Counts> stored = all ? Optional.empty() : stored(slot);
    long before = stored.map(Counts::times).orElse(0L);
    Counts counts = stored.orElse(new Counts(0, new byte[0])).plus(added);
    write(slot, counts, stored.isPresent());
    Optional<CountInterval> parts = interval.parts();
    if (parts.isEmpty()) {
      return;
    }
    if (interval.alwaysHasParts() || before >= CountInterval.MANY) {
      add(parts.get(), added, false);
    } else if (counts.times >= CountInterval.MANY) {
      add(parts.get(), all ? added : rowsIn(interval, number), true);
    }
  }

  /** The counts of an interval; the tallies are absent when it has too many keys. */
  @SuppressWarnings("ArrayRecordComponent") // the bytes as they are stored; never compared
  private record Counts(long times, byte @Nullable [] tallies) {
    Counts plus(List<CountedRow> added) {
      long sum = times;
      for (CountedRow row : added) {
        sum += row.tally.times();
      }
      if (tallies == null) {
        return new Counts(sum, null);
      }
      TreeMap<Long, Tally> byKey = new TreeMap<>();
      KeyTallies.addTo(byKey, tallies);
      for (CountedRow row : added) {
        Tally _ = byKey.merge(row.key, row.tally, Tally::plus);
      }
      return new Counts(sum, KeyTallies.write(byKey));
    }
  }

  private Optional<Counts> stored(long slot) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT times, tallies FROM %s WHERE slot = ?".formatted(table.name()))) {
      select.setLong(1, slot);
      try (ResultSet row = select.executeQuery()) {
        return row.next()
            ? Optional.of(new Counts(row.getLong(1), row.getBytes(2)))
            : Optional.empty();
      }
    }
  }

  private void write(long slot, Counts counts, boolean isStored) throws SQLException {
    try (PreparedStatement write =
        view.prepareStatement(
            (isStored
                    ? "UPDATE %s SET times = ?, tallies = ? WHERE slot = ?"
                    : "INSERT INTO %s (times, tallies, slot) VALUES (?, ?, ?)")
                .formatted(table.name()))) {
      write.setLong(1, counts.times);
      write.setBytes(2, counts.tallies);
      write.setLong(3, slot);
      int _ = write.executeUpdate();
    }
  }

  private List<CountedRow> rowsIn(CountInterval interval, long number) throws SQLException {
    return rowsIn(view, table, Math.max(begin, interval.begin(number)), interval.begin(number + 1));
  }

  private static List<CountedRow> rowsIn(Connection view, CountTable table, long from, long to)
      throws SQLException {
    List<CountedRow> found = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %1$s, %2$s, times, %3$s FROM %4$s WHERE %1$s >= ? AND %1$s < ? AND %2$s IS NOT NULL"
                .formatted(
                    table.rows().at(), table.key(), table.rows().key(), table.rows().byTime()))) {
      select.setLong(1, from);
      select.setLong(2, to);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          found.add(row(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4)));
        }
      }
    }
    return found;
  }
}
