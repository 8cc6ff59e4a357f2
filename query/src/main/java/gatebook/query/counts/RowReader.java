package gatebook.query.counts;

import gatebook.query.projection.RowFilter;
import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
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
      int number = i;
      read(
          columns,
          spans.get(i),
          row -> tallyTaker.take(number, TallySource.values(row, columns), tally(row)));
    }
  }

  @Override
  public void readEach(CountInterval interval, TimeSpan span, TallyTaker tallyTaker)
      throws SQLException {
    List<String> grouped = new ArrayList<>(columns);
    grouped.add(interval.begin(table.rows().at()));
    read(
        grouped,
        span,
        row ->
            tallyTaker.take(
                row.getLong(4 + grouped.size()), TallySource.values(row, columns), tally(row)));
  }

  @Override
  public long lastAt() throws SQLException {
    return table.rowTimes(view).to();
  }

  /** Takes a tally, in the first columns of a row, before those by which rows are grouped. */
  @FunctionalInterface
  private interface RowTaker {
    void take(ResultSet row) throws SQLException;
  }

  private void read(List<String> grouped, TimeSpan span, RowTaker rowTaker) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT SUM(times), MIN(%1$s), MAX(%1$s), MAX(%2$s), %3$s FROM %4$s WHERE %1$s >= ? AND %1$s < ?%5$s GROUP BY %3$s"
                .formatted(
                    table.rows().at(),
                    table.rows().key(),
                    String.join(", ", grouped),
                    table.rows().table(),
                    rowFilter.sql()))) {
      select.setLong(1, span.from());
      select.setLong(2, span.to());
      int _ = rowFilter.set(select, 3);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          rowTaker.take(row);
        }
      }
    }
  }

  private static Tally tally(ResultSet row) throws SQLException {
    return new Tally(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
  }
}
