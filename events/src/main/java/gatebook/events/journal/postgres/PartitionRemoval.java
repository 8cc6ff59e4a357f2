package gatebook.events.journal.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * Removes a partition of which the archive has all events, or whose events were dropped for good,
 * in steps: it is detached, which waits for the transactions that see it, then its table is
 * dropped. After each step any node can go on.
 *
 * @param connection in auto-commit; no other process removes a partition at the same time
 * @param archived what stays beside the archive; empty when the events were dropped, whose
 *     checkpoints stay
 */
record PartitionRemoval(
    Connection connection, JournalPartition partition, Optional<KeptSpans> archived) {
  /** Meanwhile no partition can be made; a longer transaction is waited for later. */
  private static final int WAIT_SECONDS = 5;

  private enum State {
    ATTACHED,
    DETACHING,
    DETACHED,
    GONE
  }

  void run() throws SQLException {
    execute("SET statement_timeout = '%ds'".formatted(WAIT_SECONDS));
    try {
      State state = state();
      switch (state) {
        case ATTACHED ->
            execute(
                "ALTER TABLE journal DETACH PARTITION %s CONCURRENTLY"
                    .formatted(partition.table()));
        case DETACHING ->
            execute(
                "ALTER TABLE journal DETACH PARTITION %s FINALIZE".formatted(partition.table()));
        case DETACHED, GONE -> {}
      }
      drop();
    } finally {
      execute("SET statement_timeout = 0");
    }
  }

  private State state() throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT i.inhdetachpending FROM pg_class c"
                + " LEFT JOIN pg_inherits i ON i.inhrelid = c.oid WHERE c.oid = to_regclass(?)")) {
      select.setString(1, partition.table());
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          return State.GONE;
        }
        boolean isPending = row.getBoolean(1);
        return row.wasNull() ? State.DETACHED : isPending ? State.DETACHING : State.ATTACHED;
      }
    }
  }

  private void drop() throws SQLException {
    connection.setAutoCommit(false);
    try {
      execute("DROP TABLE IF EXISTS " + partition.table());
      execute("DELETE FROM journal_partition WHERE first = " + partition.first());
      if (archived.isPresent()) {
        archived.get().removeCheckpoints(connection);
      }
      connection.commit();
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
