package gatebook.events.journal.postgres;

import gatebook.events.journal.storage.StoredCheckpoint;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reads the rows of checkpoints. */
final class CheckpointReader {
  private CheckpointReader() {}

  static @Nullable StoredCheckpoint newest(Connection connection) throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT number, size, note, hashes FROM journal_checkpoint"
                    + " ORDER BY number DESC LIMIT 1");
        ResultSet row = select.executeQuery()) {
      return row.next() ? of(row) : null;
    }
  }

  static @Nullable StoredCheckpoint over(Connection connection, long size) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT number, size, note, hashes FROM journal_checkpoint"
                + " WHERE size = ? ORDER BY number DESC LIMIT 1")) {
      select.setLong(1, size);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? of(row) : null;
      }
    }
  }

  static StoredCheckpoint of(ResultSet row) throws SQLException {
    return new StoredCheckpoint(row.getLong(1), row.getLong(2), row.getString(3), row.getBytes(4));
  }
}
