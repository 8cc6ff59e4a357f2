package gatebook.query.counts;

import gatebook.query.trend.TimeSpan;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads exact tallies of the rows that match a filter, in any time. */
public interface TallySource {

  /** Takes tallies, of which there may be several with the same values, which add up. */
  @FunctionalInterface
  interface TallyTaker {
    /**
     * Takes a tally of rows.
     *
     * @param part the number of a span, or the beginning of an interval
     * @param values those that the rows have in common, by column
     */
    void take(long part, Map<String, @Nullable String> values, Tally tally);
  }

  /** Reads the tallies of each span. The part is the number of the span. */
  void read(List<TimeSpan> spans, TallyTaker tallyTaker) throws SQLException;

  /**
   * Reads the tallies of each interval in a span. The part is the beginning of the interval.
   *
   * @param interval days, hours or minutes
   */
  void readEach(CountInterval interval, TimeSpan span, TallyTaker tallyTaker) throws SQLException;

  /** The latest time of a row, whether it matches the filter or not; 0 when there is none. */
  long lastAt() throws SQLException;

  /** The values of a row in these columns. */
  static Map<String, @Nullable String> values(ResultSet row, List<String> columns)
      throws SQLException {
    Map<String, @Nullable String> values = new LinkedHashMap<>();
    for (String column : columns) {
      values.put(column, row.getString(column));
    }
    return values;
  }
}
