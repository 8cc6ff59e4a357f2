package gatebook.query.counts;

import gatebook.query.projection.RowFilter;
import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Reads tallies from the rows themselves: by any columns, and with any filter. */
public final class RowReader implements TallySource {
  private final Connection view;
  private final CountTable table;
  private final List<String> columns;
  private final RowFilter rowFilter;

  /**
   * @param columns those in which the rows of a tally have the same values, at least one
   */
  public RowReader(Connection view, CountTable table, List<String> columns, RowFilter rowFilter) {
    this.view = view;
    this.table = table;
    this.columns = columns;
    this.rowFilter = rowFilter;
  }

  @Override
  public void read(List<TimeSpan> spans, TallyTaker tallyTaker) throws SQLException {
    for (int i = 0; i < spans.size(); i++) {
      read(Integer.toString(i), spans.get(i), tallyTaker);
    }
  }

  @Override
  public void readEach(CountInterval interval, TimeSpan span, TallyTaker tallyTaker)
      throws SQLException {
    read(interval.begin(table.rows().at()), span, tallyTaker);
  }

  @Override
  public long lastAt() throws SQLException {
    return table.rowTimes(view).to();
  }

  /** {@code part} is in SQL. */
  private void read(String part, TimeSpan span, TallyTaker tallyTaker) throws SQLException {
    String grouped = String.join(", ", columns);
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %1$s AS part, SUM(times), MIN(%2$s), MAX(%2$s), MAX(%3$s), %4$s FROM %5$s WHERE %2$s >= ? AND %2$s < ?%6$s GROUP BY part, %4$s"
                .formatted(
                    part,
                    table.rows().at(),
                    table.rows().key(),
                    grouped,
                    table.rows().table(),
                    rowFilter.sql()))) {
      select.setLong(1, span.from());
      select.setLong(2, span.to());
      int _ = rowFilter.set(select, 3);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          tallyTaker.take(
              row.getLong(1),
              TallySource.values(row, columns),
              new Tally(row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5)));
        }
      }
    }
  }
}
