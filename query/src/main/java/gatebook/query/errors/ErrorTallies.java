package gatebook.query.errors;

import gatebook.query.counts.CountInterval;
import gatebook.query.counts.CountReader;
import gatebook.query.counts.CountTable;
import gatebook.query.counts.RowReader;
import gatebook.query.counts.TallySource;
import gatebook.query.projection.RowFilter;
import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

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
    this(view, filter, members, filter::rowFilter);
  }

  /** The tallies of those that a list has: dropped ones are in none. */
  static ErrorTallies ofListed(Connection view, ErrorFilter filter) throws SQLException {
    return new ErrorTallies(view, filter, List.of(), filter::listedRowFilter);
  }

  private ErrorTallies(
      Connection view,
      ErrorFilter filter,
      List<String> members,
      Function<Collection<String>, RowFilter> rowFilter)
      throws SQLException {
    CountTable counts = filter.counted().counts();
    List<String> columns = members.stream().map(filter.counted()::column).toList();
    boolean areCounted =
        filter.counted() != Counted.OBSERVED
            && counts.columns().containsAll(columns)
            && counts.columns().containsAll(filter.columns());
    if (!areCounted) {
      List<String> grouped = columns.isEmpty() ? counts.columns() : columns;
      List<TallySource> rows = new ArrayList<>();
      for (CountTable table : filter.counted().tables()) {
        rows.add(RowReader.of(view, table, grouped, rowFilter.apply(grouped)));
      }
      this.sources = List.copyOf(rows);
      return;
    }
    TallySource counted = new CountReader(view, counts, rowFilter.apply(members));
    this.sources =
        filter.counted() == Counted.DENIALS && isAnyUntold(view)
            ? List.of(counted, untold(view, counts, rowFilter.apply(List.of())))
            : List.of(counted);
  }

  private static boolean isAnyUntold(Connection view) throws SQLException {
    try (Statement select = view.createStatement();
        ResultSet row = select.executeQuery("SELECT 1 FROM untold LIMIT 1")) {
      return row.next();
    }
  }

  private static TallySource untold(Connection view, CountTable counts, RowFilter rowFilter)
      throws SQLException {
    return RowReader.ofFew(
        view, counts, counts.columns(), rowFilter.and("place IN (SELECT place FROM untold)"));
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
    long last = 0;
    for (TallySource source : sources) {
      last = Math.max(last, source.lastAt());
    }
    return last;
  }

  /** How often they occurred in a span. */
  long total(TimeSpan span) throws SQLException {
    long[] total = new long[1];
    read(List.of(span), (_, _, tally) -> total[0] += tally.times());
    return total[0];
  }
}
