package gatebook.query.denials;

import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.journal.storage.Entry;
import gatebook.query.projection.NewestFirst;
import gatebook.query.projection.Projection;
import gatebook.query.projection.ProjectionHandler;
import gatebook.query.projection.SeededTable;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Projects every denial to a row of its own, so that denials of any time are counted exactly, and
 * counts them by gate, reason and code. The error response follows in the next event, nearly always
 * on the same page; a denial is counted when it is known.
 */
final class DenialsProjection implements Projection {
  @Override
  public String name() {
    return "denials";
  }

  @Override
  public int version() {
    return 3;
  }

  @Override
  public List<ViewTable> tables() {
    return List.of(
        new ViewTable(
            "denials",
            "position",
            List.of(
                "at BIGINT NOT NULL",
                "gate VARCHAR NOT NULL",
                "tool VARCHAR",
                "principal VARCHAR NOT NULL",
                "reason VARCHAR NOT NULL",
                "dialect VARCHAR",
                "code INT",
                "count_key BIGINT"),
            List.of(NewestFirst.order("position"))),
        new ViewTable("untold", "call", List.of("denial BIGINT NOT NULL"), List.of()));
  }

  @Override
  public List<SeededTable> seededTables() {
    return List.of(DenialRows.COUNTS);
  }

  @Override
  public DenialRows rows(Connection view) {
    return new DenialRows(view);
  }

  @ProjectionHandler
  void on(GateDenied event, Entry entry, DenialRows rows) {
    rows.add(event, entry);
  }

  @ProjectionHandler
  void on(ErrorTranslated event, Entry entry, DenialRows rows) throws SQLException {
    rows.addErrorResponse(event, entry.position());
  }
}
