package gatebook.query.faults;

import gatebook.events.call.Dialect;
import gatebook.query.faults.FaultQueries.FaultPage;
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
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Selects rows of faults. */
final class FaultSelection {
  private static final NewestFirst FAULTS =
      new NewestFirst(
          "faults",
          "place",
          "call, at, times, fingerprint, dialect, code, fault, gate, target, agent, skill");

  private FaultSelection() {}

  static FaultPage page(Connection view, Reached reached, ListFaults query) throws SQLException {
    RowFilter rowFilter = rowFilter(query.filter(), List.of());
    RowPage<ListedFault> page =
        FAULTS.page(
            view,
            new Selection(NewestFirst.order(FAULTS.key()), rowFilter, query.after(), query.limit()),
            FaultSelection::fault);
    FaultTallies tallies = new FaultTallies(view, query.filter(), List.of());
    return new FaultPage(reached, tallies.total(), page.rows(), page.next());
  }

  /** The filter of the rows that count where they are grouped by these dimensions. */
  static RowFilter rowFilter(ListFaults.Filter filter, List<FaultDimension> by) {
    return columnFilter(filter, by).andIn(filter.since(), filter.until());
  }

  /** The same filter for faults of any time. */
  static RowFilter columnFilter(ListFaults.Filter filter, List<FaultDimension> by) {
    RowFilter rowFilter =
        new RowFilter()
            .and(
                "fingerprint",
                ColumnFilter.of(filter.fingerprint().map(FaultKey::fingerprintNumber)))
            .and("dialect", filter.dialect())
            .and("code", filter.code())
            .and("fault", filter.fault())
            .and("gate", filter.gate())
            .and("target", filter.target())
            .and("agent", filter.agent())
            .and("skill", filter.skill());
    return filter.agent().equals(ColumnFilter.ANYTHING)
            && filter.skill().equals(ColumnFilter.ANYTHING)
            && by.stream().noneMatch(FaultDimension::isOfAgents)
        ? rowFilter
        : rowFilter.and("dialect", ColumnFilter.of(Optional.of(Dialect.A2A.word())));
  }

  private static ListedFault fault(ResultSet row) throws SQLException {
    String code = row.getString("code");
    return new ListedFault(
        row.getObject("call", UUID.class),
        EpochNanos.toInstant(row.getLong("at")).toString(),
        row.getLong("times"),
        FaultKey.fingerprintText(row.getLong("fingerprint")),
        row.getString("dialect"),
        code == null ? null : FaultKey.codeJson(code),
        row.getString("fault"),
        row.getString("gate"),
        row.getString("target"),
        row.getString("agent"),
        row.getString("skill"));
  }
}
