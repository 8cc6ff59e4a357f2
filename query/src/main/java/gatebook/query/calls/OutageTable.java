package gatebook.query.calls;

import gatebook.events.JournalOutage;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The outages of the journal. */
final class OutageTable {
  static final ViewTable TABLE =
      new ViewTable(
          "outages",
          "position",
          List.of("began BIGINT NOT NULL", "ended BIGINT NOT NULL"),
          List.of("ended"));

  /** An outage begins for callers when they waited long enough for what was being stored. */
  private static final Duration NOTICED_MAX = Duration.ofMinutes(1);

  private OutageTable() {}

  static void add(Connection view, JournalOutage outage, long position) throws SQLException {
    try (PreparedStatement insert =
        view.prepareStatement(
            "INSERT INTO outages (position, changed, began, ended) VALUES (?, ?, ?, ?)")) {
      insert.setLong(1, position);
      insert.setLong(2, position);
      insert.setLong(3, EpochNanos.of(outage.from()));
      insert.setLong(4, EpochNanos.of(outage.to()));
      insert.executeUpdate();
    }
  }

  /** Whether an outage may concern what was being stored at a time. */
  static boolean concerns(Connection view, Instant at) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement("SELECT 1 FROM outages WHERE ended >= ? AND began <= ? LIMIT 1")) {
      select.setLong(1, EpochNanos.of(at));
      select.setLong(2, EpochNanos.of(at.plus(NOTICED_MAX)));
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }
}
