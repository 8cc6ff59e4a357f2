package gatebook.query.counts;

import gatebook.query.projection.RowFilter;
import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads exact counts of the rows that match a filter, in any time. Which values the rows of a key
 * have in common is read from the row at the last place of the key.
 */
public final class CountReader implements TallySource {
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

  @Override
  public void read(List<TimeSpan> spans, TallyTaker tallyTaker) throws SQLException {
    take(tallyReader.read(spans), tallyTaker);
  }

  @Override
  public void readEach(CountInterval interval, TimeSpan span, TallyTaker tallyTaker)
      throws SQLException {
    take(tallyReader.readEach(interval, span), tallyTaker);
  }

  @Override
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
            "SELECT %s, %s FROM %s WHERE place = ANY(?)%s"
                .formatted(
                    table.key(),
                    String.join(", ", table.columns()),
                    table.rows(),
                    rowFilter.sql()))) {
      select.setArray(1, view.createArrayOf("BIGINT", places.values().toArray()));
      int _ = rowFilter.set(select, 2);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          valuesOfKeys.put(row.getLong(1), Optional.of(TallySource.values(row, table.columns())));
        }
      }
    }
  }
}
