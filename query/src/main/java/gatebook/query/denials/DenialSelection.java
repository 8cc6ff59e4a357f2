package gatebook.query.denials;

import gatebook.query.denials.DenialQueries.DenialPage;
import gatebook.query.projection.ColumnFilter;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.NewestFirst;
import gatebook.query.projection.NewestFirst.RowPage;
import gatebook.query.projection.NewestFirst.Selection;
import gatebook.query.projection.RowFilter;
import gatebook.query.projection.View.Reached;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** Selects rows of denials. */
final class DenialSelection {
  private static final NewestFirst DENIALS =
      new NewestFirst(
          "denials", "position", "call, at, gate, tool, principal, reason, dialect, code");

  private DenialSelection() {}

  static DenialPage page(Connection view, Reached reached, ListDenials query) throws SQLException {
    RowFilter rowFilter = rowFilter(query.filter());
    RowPage<ListedDenial> page =
        DENIALS.page(
            view,
            new Selection(
                NewestFirst.order(DENIALS.key()), rowFilter, query.after(), query.limit()),
            DenialSelection::denial);
    return new DenialPage(reached, total(view, query.filter()), page.rows(), page.next());
  }

  private static long total(Connection view, ListDenials.Filter filter) throws SQLException {
    return isCounted(filter)
        ? DenialTallyGrouping.total(view, filter)
        : DENIALS.total(view, "COUNT(*)", rowFilter(filter));
  }

  static RowFilter rowFilter(ListDenials.Filter filter) {
    return columnFilter(filter).andIn(filter.since(), filter.until());
  }

  /** The same filter for denials of any time. */
  static RowFilter columnFilter(ListDenials.Filter filter) {
    return new RowFilter()
        .and("gate", filter.gate())
        .and("tool", filter.tool())
        .and("principal", filter.principal())
        .and("reason", filter.reason())
        .and("dialect", filter.dialect())
        .and("code", filter.code());
  }

  /** Whether the counts that the view keeps tell the denials that match from the others. */
  static boolean isCounted(ListDenials.Filter filter) {
    return filter.tool().equals(ColumnFilter.ANYTHING)
        && filter.principal().equals(ColumnFilter.ANYTHING);
  }

  private static ListedDenial denial(ResultSet row) throws SQLException {
    return new ListedDenial(
        row.getObject("call", UUID.class),
        EpochNanos.toInstant(row.getLong("at")).toString(),
        row.getString("gate"),
        row.getString("tool"),
        row.getString("principal"),
        row.getString("reason"),
        row.getString("dialect"),
        row.getObject("code", Integer.class));
  }
}
