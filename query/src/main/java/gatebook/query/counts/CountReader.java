package gatebook.query.counts;

import gatebook.query.projection.RowFilter;
import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads exact counts of the rows that match a filter, in any time. Which values the rows of a key
 * have in common is read from the row at the last place of the key.
 */
public final class CountReader {
  private final Connection view;
  private final CountTable table;
  private final RowFilter rowFilter;
  private final TallyReader tallyReader;

  /** The values of the keys read so far; empty when they do not match the filter. */
  private final Map<Long, Optional<Map<String, @Nullable String>>> valuesOfKeys = new HashMap<>();

  /**
   * @param rowFilter may have conditions for the columns of the key only
   */
  public CountReader(Connection view, CountTable table, RowFilter rowFilter) throws SQLException {
    this.view = view;
    this.table = table;
    this.rowFilter = rowFilter;
    this.tallyReader = new TallyReader(view, table);
  }

  /** Takes tallies, of which there may be several with the same values, which add up. */
  @FunctionalInterface
  public interface TallyTaker {
    /**
     * Takes a tally of rows.
     *
     * @param part the number of a span, or the beginning of an interval
     * @param values those that the rows have in common, by column
     */
    void take(long part, Map<String, @Nullable String> values, Tally tally);
  }

  /** Reads the tallies of each span. The part is the number of the span. */
  public void read(List<TimeSpan> spans, TallyTaker tallyTaker) throws SQLException {
    take(tallyReader.read(spans), tallyTaker);
  }

  /**
   * Reads the tallies of each interval in a span. The part is the beginning of the interval.
   *
   * @param interval days, hours or minutes
   */
  public void readEach(CountInterval interval, TimeSpan span, TallyTaker tallyTaker)
      throws SQLException {
    take(tallyReader.readEach(interval, span), tallyTaker);
  }

  /** The latest time of a row, whether it matches the filter or not; 0 when there is none. */
  public long lastAt() {
    return tallyReader.lastAt();
  }

  private void take(PartTallies tallies, TallyTaker tallyTaker) throws SQLException {
    readValues(tallies);
    tallies.forEach((part, key, tally) ->
        valuesOfKeys
            .getOrDefault(key, Optional.empty())
            .ifPresent(values -> tallyTaker.take(part, values, tally)));
  }

  private void readValues(PartTallies tallies) throws SQLException {
    Map<Long, Long> places = new HashMap<>();
    tallies.forEach((_, key, tally) -> {
      if (!valuesOfKeys.containsKey(key)) {
        places.put(key, tally.lastPlace());
      }
    });
    if (places.isEmpty()) {
      return;
    }
    places.keySet().forEach(key -> valuesOfKeys.put(key, Optional.empty()));
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT count_key, %s FROM %s WHERE %s = ANY(?)%s"
                .formatted(
                    String.join(", ", table.columns()),
                    table.rows(),
                    table.place(),
                    rowFilter.sql()))) {
      select.setArray(1, view.createArrayOf("BIGINT", places.values().toArray()));
      int _ = rowFilter.set(select, 2);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          valuesOfKeys.put(row.getLong(1), Optional.of(values(row)));
        }
      }
    }
  }

  private Map<String, @Nullable String> values(ResultSet row) throws SQLException {
    Map<String, @Nullable String> values = new LinkedHashMap<>();
    for (String column : table.columns()) {
      values.put(column, row.getString(column));
    }
    return values;
  }
}
