package gatebook.query.calls;

import gatebook.events.RulesActivated;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The positions in the journal at which rules were activated. */
final class ActivationPositions {
  static final ViewTable TABLE =
      new ViewTable("activations", "position", List.of("hash VARCHAR NOT NULL"), List.of("hash"));

  private ActivationPositions() {}

  static void add(Connection view, RulesActivated activated, long position) throws SQLException {
    try (PreparedStatement insert =
        view.prepareStatement(
            "INSERT INTO activations (position, changed, hash) VALUES (?, ?, ?)")) {
      insert.setLong(1, position);
      insert.setLong(2, position);
      insert.setString(3, activated.rulesHash());
      insert.executeUpdate();
    }
  }

  /** The position of the newest activation of these rules before another position. */
  static Optional<Long> find(Connection view, String hash, long before) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT MAX(position) FROM activations WHERE hash = ? AND position < ?")) {
      select.setString(1, hash);
      select.setLong(2, before);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        long position = row.getLong(1);
        return row.wasNull() ? Optional.empty() : Optional.of(position);
      }
    }
  }
}
