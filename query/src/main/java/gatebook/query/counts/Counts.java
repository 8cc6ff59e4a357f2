package gatebook.query.counts;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The counts of the rows of an interval, also of those without a key, which are in no tally.
 *
 * @param times how often they count
 * @param places has the places of all of them
 * @param tallies by key; absent when there are too many keys
 */
@SuppressWarnings("ArrayRecordComponent") // the bytes as they are stored; never compared
record Counts(long times, long firstAt, long lastAt, PlaceRange places, byte @Nullable [] tallies) {
  static final Counts NONE =
      new Counts(0, Long.MAX_VALUE, Long.MIN_VALUE, PlaceRange.NONE, new byte[0]);

  /** The columns that have them. */
  static final String COLUMNS = "times, first_at, last_at, first_place, last_place, tallies";

  /** The counts in the first columns of a row. */
  static Counts of(ResultSet row) throws SQLException {
    return new Counts(
        row.getLong(1),
        row.getLong(2),
        row.getLong(3),
        new PlaceRange(row.getLong(4), row.getLong(5)),
        row.getBytes(6));
  }

  /** Sets the first parameters of a statement. */
  void set(PreparedStatement statement) throws SQLException {
    statement.setLong(1, times);
    statement.setLong(2, firstAt);
    statement.setLong(3, lastAt);
    statement.setLong(4, places.first());
    statement.setLong(5, places.last());
    statement.setBytes(6, tallies);
  }

  Counts plus(Counts other) {
    return new Counts(
        times + other.times,
        Math.min(firstAt, other.firstAt),
        Math.max(lastAt, other.lastAt),
        places.plus(other.places),
        tallies == null || other.tallies == null ? null : KeyTallies.sum(tallies, other.tallies));
  }

  /** The counts of rows. */
  static Counts of(List<RowSum> rows) {
    long times = 0;
    long firstAt = Long.MAX_VALUE;
    long lastAt = Long.MIN_VALUE;
    PlaceRange places = PlaceRange.NONE;
    TreeMap<Long, Tally> byKey = new TreeMap<>();
    for (RowSum row : rows) {
      Tally tally = row.tally();
      times += tally.times();
      firstAt = Math.min(firstAt, tally.firstAt());
      lastAt = Math.max(lastAt, tally.lastAt());
      places = places.plus(row.places());
      if (row.key() != null) {
        Tally _ = byKey.merge(row.key(), tally, Tally::plus);
      }
    }
    return new Counts(times, firstAt, lastAt, places, KeyTallies.write(byKey));
  }
}
