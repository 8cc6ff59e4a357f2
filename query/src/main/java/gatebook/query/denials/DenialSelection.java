package gatebook.query.denials;

import gatebook.query.denials.DenialQueries.DenialPage;
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
    return new DenialPage(
        reached, DENIALS.total(view, "COUNT(*)", rowFilter), page.rows(), page.next());
  }

  static RowFilter rowFilter(ListDenials.Filter filter) {
    return new RowFilter()
        .andIn(filter.since(), filter.until())
        .and("gate", filter.gate())
        .and("tool", filter.tool())
        .and("principal", filter.principal())
        .and("reason", filter.reason())
        .and("dialect", filter.dialect())
        .and("code", filter.code());
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
