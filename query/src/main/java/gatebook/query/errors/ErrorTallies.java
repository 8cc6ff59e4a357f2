package gatebook.query.errors;

import gatebook.query.counts.CountInterval;
import gatebook.query.counts.CountReader;
import gatebook.query.counts.CountTable;
import gatebook.query.counts.RowReader;
import gatebook.query.counts.TallySource;
import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;

/**
 * The tallies of the denials or errors that match a filter. They are read from the counts that the
 * view keeps, as far as these tell those that match from the others, and else from the rows.
 * Denials whose error response is not known yet are not counted, and are read from their rows,
 * which are few.
 */
final class ErrorTallies implements TallySource {
  private final List<TallySource> sources;

  /**
   * @param members those of the groups, except for parts of the time
   */
  ErrorTallies(Connection view, ErrorFilter filter, List<String> members) throws SQLException {
    CountTable counts = filter.counted().counts();
    List<String> columns = members.stream().map(ErrorDimension::column).toList();
    boolean areCounted =
        counts.columns().containsAll(columns) && counts.columns().containsAll(filter.columns());
    if (!areCounted) {
      this.sources = List.of(rows(view, filter, columns.isEmpty() ? counts.columns() : columns));
    } else if (filter.counted() == Counted.DENIALS && isAnyUntold(view)) {
      this.sources = List.of(counts(view, filter, members), untold(view, filter));
    } else {
      this.sources = List.of(counts(view, filter, members));
    }
  }

  private static boolean isAnyUntold(Connection view) throws SQLException {
    try (Statement select = view.createStatement();
        ResultSet row = select.executeQuery("SELECT 1 FROM untold LIMIT 1")) {
      return row.next();
    }
  }

  private static TallySource counts(Connection view, ErrorFilter filter, Collection<String> members)
      throws SQLException {
    return new CountReader(view, filter.counted().counts(), filter.rowFilter(members));
  }

  private static TallySource rows(Connection view, ErrorFilter filter, List<String> columns)
      throws SQLException {
    return RowReader.of(view, filter.counted().counts(), columns, filter.rowFilter(columns));
  }

  private static TallySource untold(Connection view, ErrorFilter filter) throws SQLException {
    CountTable counts = filter.counted().counts();
    return RowReader.ofFew(
        view,
        counts,
        counts.columns(),
        filter.rowFilter(List.of()).and("place IN (SELECT place FROM untold)"));
  }

  @Override
  public void read(List<TimeSpan> spans, TallyTaker tallyTaker) throws SQLException {
    for (TallySource source : sources) {
      source.read(spans, tallyTaker);
    }
  }

  @Override
  public void readEach(CountInterval interval, TimeSpan span, TallyTaker tallyTaker)
      throws SQLException {
    for (TallySource source : sources) {
      source.readEach(interval, span, tallyTaker);
    }
  }

  @Override
  public long lastAt() throws SQLException {
    return sources.getFirst().lastAt();
  }

  /** How often they occurred in a span. */
  long total(TimeSpan span) throws SQLException {
    long[] total = new long[1];
    read(List.of(span), (_, _, tally) -> total[0] += tally.times());
    return total[0];
  }
}
