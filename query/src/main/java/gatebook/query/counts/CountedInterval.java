package gatebook.query.counts;

import gatebook.query.trend.TimeSpan;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * An interval with counts.
 *
 * @param slot identifies it
 * @param times how often its rows count
 * @param places has the places of all its rows
 */
record CountedInterval(long slot, long times, PlaceRange places) {
  /** The columns that it is read from, which are the first ones. */
  static final String COLUMNS = "slot, times, first_place, last_place";

  static CountedInterval of(ResultSet row) throws SQLException {
    return new CountedInterval(
        row.getLong(1), row.getLong(2), new PlaceRange(row.getLong(3), row.getLong(4)));
  }

  CountInterval length() {
    return CountInterval.ofSlot(slot);
  }

  long number() {
    return length().numberOfSlot(slot);
  }

  TimeSpan time() {
    return length().time(number());
  }

  /** Whether its parts have counts. */
  boolean hasParts() {
    return length().alwaysHasParts() || (length().mayHaveParts() && times >= CountInterval.MANY);
  }
}
