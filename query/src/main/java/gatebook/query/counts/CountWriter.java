package gatebook.query.counts;

import gatebook.query.projection.RowBatch;
import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Writes counts of rows, which are in their table already. */
final class CountWriter implements AutoCloseable {
  private final Connection view;
  private final CountTable table;

  /** All rows up to this place are counted, or being added. */
  private final long lastPlace;

  private final PreparedStatement select;

  /** The counts to be written, by slot. */
  private final Map<Long, Counts> inserts = new TreeMap<>();

  private final Map<Long, Counts> updates = new TreeMap<>();

  CountWriter(Connection view, CountTable table, long lastPlace) throws SQLException {
    this.view = view;
    this.table = table;
    this.lastPlace = lastPlace;
    this.select =
        view.prepareStatement(
            "SELECT %s FROM %s WHERE slot = ?".formatted(Counts.COLUMNS, table.name()));
  }

  @Override
  public void close() throws SQLException {
    select.close();
  }

  /** Adds rows to the counts of the intervals that they are in. */
  void add(RowSums rows) throws SQLException {
    add(CountInterval.DAYS_64, rows.all(), false);
    write();
  }

  /** Counts the rows of some hours again, after others were deleted from them. */
  void recount(Collection<Long> hours) throws SQLException {
    CountInterval interval = CountInterval.HOUR;
    for (long hour : new TreeSet<>(hours)) {
      Optional<Counts> before = stored(interval.slot(hour));
      if (before.isPresent()) {
        deleteWithParts(hour);
        add(interval, rowsIn(interval, hour, before.get().places()).all(), true);
      }
    }
    sumUp(CountInterval.DAY, hours);
    sumUp(CountInterval.DAYS_64, hours);
  }

  private void deleteWithParts(long hour) throws SQLException {
    TimeSpan time = CountInterval.HOUR.time(hour);
    Optional<CountInterval> length = Optional.of(CountInterval.HOUR);
    while (length.isPresent()) {
      CountInterval interval = length.get();
      delete(interval.slotAt(time.from()), interval.slotAt(time.to()));
      length = interval.parts();
    }
  }

  private void delete(long from, long to) throws SQLException {
    try (PreparedStatement delete =
        view.prepareStatement(
            "DELETE FROM %s WHERE slot >= ? AND slot < ?".formatted(table.name()))) {
      delete.setLong(1, from);
      delete.setLong(2, to);
      int _ = delete.executeUpdate();
    }
  }

  /** Makes the counts of the intervals that contain some hours from those of their parts. */
  private void sumUp(CountInterval interval, Collection<Long> hours) throws SQLException {
    write();
    TreeSet<Long> numbers = new TreeSet<>();
    hours.forEach(hour -> numbers.add(interval.number(CountInterval.HOUR.begin(hour))));
    for (long number : numbers) {
      long slot = interval.slot(number);
      Counts sum = sumOfParts(interval, number);
      delete(slot, slot + 1);
      if (sum.times() > 0) {
        inserts.put(slot, sum);
      }
    }
    write();
  }

  private Counts sumOfParts(CountInterval interval, long number) throws SQLException {
    CountInterval parts = interval.parts().orElseThrow();
    Counts sum = Counts.NONE;
    try (PreparedStatement ofParts =
        view.prepareStatement(
            "SELECT %s FROM %s WHERE slot >= ? AND slot < ?"
                .formatted(Counts.COLUMNS, table.name()))) {
      ofParts.setLong(1, parts.slotAt(interval.begin(number)));
      ofParts.setLong(2, parts.slotAt(interval.begin(number + 1)));
      try (ResultSet row = ofParts.executeQuery()) {
        while (row.next()) {
          sum = sum.plus(Counts.of(row));
        }
      }
    }
    return sum;
  }

  /**
   * Adds rows to the counts of intervals and of their parts.
   *
   * @param all whether these are all rows of their intervals, which have no counts yet
   */
  private void add(CountInterval interval, Collection<RowSum> rows, boolean all)
      throws SQLException {
    Map<Long, List<RowSum>> byNumber = new TreeMap<>();
    for (RowSum row : rows) {
      byNumber
          .computeIfAbsent(interval.number(row.tally().firstAt()), _ -> new ArrayList<>())
          .add(row);
    }
    for (Map.Entry<Long, List<RowSum>> one : byNumber.entrySet()) {
      add(interval, one.getKey(), one.getValue(), all);
    }
  }

  private void add(CountInterval interval, long number, List<RowSum> rows, boolean all)
      throws SQLException {
    long slot = interval.slot(number);
    Optional<Counts> stored = all ? Optional.empty() : stored(slot);
    Counts before = stored.orElse(Counts.NONE);
    Counts counts = before.plus(Counts.of(rows));
    (stored.isPresent() ? updates : inserts).put(slot, counts);
    Optional<CountInterval> parts = interval.parts();
    if (parts.isEmpty()) {
      return;
    }
    if (interval.alwaysHasParts() || before.times() >= CountInterval.MANY) {
      add(parts.get(), rows, false);
    } else if (counts.times() >= CountInterval.MANY) {
      add(parts.get(), all ? rows : rowsIn(interval, number, counts.places()).all(), true);
    }
  }

  private Optional<Counts> stored(long slot) throws SQLException {
    select.setLong(1, slot);
    try (ResultSet row = select.executeQuery()) {
      return row.next() ? Optional.of(Counts.of(row)) : Optional.empty();
    }
  }

  private void write() throws SQLException {
    write("INSERT INTO %s (%s, slot) VALUES (?, ?, ?, ?, ?, ?, ?)", inserts);
    write("UPDATE %s SET (%s) = (?, ?, ?, ?, ?, ?) WHERE slot = ?", updates);
  }

  private void write(String sql, Map<Long, Counts> counts) throws SQLException {
    if (!counts.isEmpty()) {
      RowBatch.write(
          view,
          sql.formatted(table.name(), Counts.COLUMNS),
          counts.entrySet(),
          (write, one) -> {
            one.getValue().set(write);
            write.setLong(7, one.getKey());
          });
      counts.clear();
    }
  }

  /** {@code places} has those of all rows of the interval. */
  private RowSums rowsIn(CountInterval interval, long number, PlaceRange places)
      throws SQLException {
    return table.rows(
        view,
        interval.time(number),
        new PlaceRange(places.first(), Math.min(lastPlace, places.last())));
  }
}
