package gatebook.query.calls;

import gatebook.query.projection.NewestFirst;
import gatebook.query.projection.NewestFirst.RowPage;
import gatebook.query.projection.NewestFirst.Selection;
import gatebook.query.projection.RowFilter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Selects rows of calls. */
final class CallSelection {
  private static final NewestFirst CALLS =
      new NewestFirst("calls", CallTable.KEY, CallTable.COLUMNS);

  /** More calls than these with one correlation id are found like calls with any of its ids. */
  private static final int CORRELATED_MAX = 1_000;

  private CallSelection() {}

  /** A page of the calls that match a filter, those that were received last first. */
  static RowPage<CallView> page(Connection view, ListCalls query) throws SQLException {
    CallFilter filter = query.filter();
    RowFilter rowFilter = filter.rowFilter();
    if (filter.correlationId().isPresent()) {
      List<UUID> correlated =
          CallKeys.find(view, CallKeys.forSearch(filter.correlationId().get()), CORRELATED_MAX + 1);
      if (correlated.size() <= CORRELATED_MAX) {
        return CALLS.page(
            view,
            new Selection(
                "call",
                rowFilter.and(
                    "call = ANY(?)", (Object) view.createArrayOf("UUID", correlated.toArray())),
                query.after(),
                query.limit()),
            CallTable::call);
      }
    }
    return CALLS.page(
        view,
        new Selection(
            filter
                .indexedColumn()
                .map(column -> NewestFirst.orderOf(column, CallTable.KEY))
                .orElseGet(() -> NewestFirst.order(CallTable.KEY)),
            rowFilter,
            query.after(),
            query.limit()),
        CallTable::call);
  }

  /** The calls with these ids, as far as they are in the view. */
  static Map<UUID, CallView> rows(Connection view, List<UUID> callIds) throws SQLException {
    Map<UUID, CallView> calls = new HashMap<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s FROM calls WHERE call = ANY(?)".formatted(CallTable.COLUMNS))) {
      select.setArray(1, view.createArrayOf("UUID", callIds.toArray()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          CallView call = CallTable.call(row);
          calls.put(call.callId(), call);
        }
      }
    }
    return calls;
  }
}
