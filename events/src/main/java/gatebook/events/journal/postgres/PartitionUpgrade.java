package gatebook.events.journal.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Makes the table of events the first partition of a new one, without copying a row: a constraint
 * says up to which position its events are, which is checked while others read and write; then the
 * table is attached, which takes a moment.
 *
 * <p>Each step is a transaction, and one that was done already is left out.
 *
 * @param connection without auto-commit; no other process upgrades at the same time
 * @param partitionEvents how many positions a partition has
 */
record PartitionUpgrade(Connection connection, long partitionEvents) {
  private static final int LOCK_SECONDS = 10;

  /** Bounds the table of schema 2; nothing has to be done again after a failure. */
  void bound() throws SQLException {
    limitWaits();
    execute(
        "CREATE TABLE IF NOT EXISTS journal_partition"
            + " (first BIGINT PRIMARY KEY, last BIGINT NOT NULL)");
    if (Partitions.newest(connection).isEmpty()) {
      JournalPartition bounded = new JournalPartition(1, lastOfFirst());
      execute(
          "ALTER TABLE journal ADD CONSTRAINT journal_range CHECK (position < %d) NOT VALID"
              .formatted(bounded.last() + 1));
      insert(bounded);
    }
    connection.commit();
    execute("ALTER TABLE journal VALIDATE CONSTRAINT journal_range");
    connection.commit();
  }

  /** There is room for more events in the first partition, too. */
  private long lastOfFirst() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT GREATEST((SELECT COALESCE(MAX(position), 0) FROM journal),"
                    + " (SELECT COALESCE(MAX(size), 0) FROM journal_edge))")) {
      row.next();
      long size = row.getLong(1);
      long last = (size / partitionEvents + 1) * partitionEvents;
      return last - size < partitionEvents / 2 ? last + partitionEvents : last;
    }
  }

  /** Attaches what is the first partition by now; the caller commits. */
  void attach() throws SQLException {
    JournalPartition first = Partitions.newest(connection).orElseThrow();
    execute(
        "ALTER TABLE journal ATTACH PARTITION %s FOR VALUES %s"
            .formatted(first.table(), first.bounds()));
    execute("ALTER TABLE %s DROP CONSTRAINT journal_range".formatted(first.table()));
  }

  /** For this transaction: who waits for a lock keeps others from theirs. */
  void limitWaits() throws SQLException {
    execute("SET LOCAL lock_timeout = '%ds'".formatted(LOCK_SECONDS));
  }

  private void insert(JournalPartition partition) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO journal_partition (first, last) VALUES (?, ?)")) {
      insert.setLong(1, partition.first());
      insert.setLong(2, partition.last());
      insert.executeUpdate();
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
