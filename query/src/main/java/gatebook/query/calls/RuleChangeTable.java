package gatebook.query.calls;

import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The positions in the journal at which rules were activated or rejected. */
final class RuleChangeTable {
  static final ViewTable TABLE =
      new ViewTable(
          "rule_changes",
          "position",
          List.of("hash VARCHAR NOT NULL", "rejected BOOLEAN NOT NULL"),
          List.of("hash"));

  private RuleChangeTable() {}

  static void add(Connection view, String hash, boolean rejected, long position)
      throws SQLException {
    try (PreparedStatement insert =
        view.prepareStatement(
            "INSERT INTO rule_changes (position, changed, hash, rejected) VALUES (?, ?, ?, ?)")) {
      insert.setLong(1, position);
      insert.setLong(2, position);
      insert.setString(3, hash);
      insert.setBoolean(4, rejected);
      insert.executeUpdate();
    }
  }

  /** The position of the newest activation of these rules before another position. */
  static Optional<Long> findActivation(Connection view, String hash, long before)
      throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT MAX(position) FROM rule_changes"
                + " WHERE hash = ? AND NOT rejected AND position < ?")) {
      select.setString(1, hash);
      select.setLong(2, before);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        long position = row.getLong(1);
        return row.wasNull() ? Optional.empty() : Optional.of(position);
      }
    }
  }

  /** The positions of the newest changes before a position, newest first. */
  static List<Long> list(Connection view, long before, int limit) throws SQLException {
    List<Long> positions = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT position FROM rule_changes WHERE position < ? ORDER BY position DESC"
                + " LIMIT ?")) {
      select.setLong(1, before);
      select.setInt(2, limit);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          positions.add(row.getLong(1));
        }
      }
    }
    return positions;
  }
}
