package gatebook.events.journal.postgres;

import gatebook.events.journal.storage.OngoingFailure;
import gatebook.events.journal.storage.StorageFailure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes partitions of the table of events before they are needed, whichever node comes first: there
 * is always room for half a partition. Appends do not wait for that.
 */
final class Partitions implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Partitions.class);
  private static final long RETRY_MILLIS = 1_000;

  private final PostgresDatabase database;
  private final long partitionEvents;
  private final OngoingFailure failure = new OngoingFailure();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("journal-partitions").factory());

  /** From so many events on, a partition is due; the highest number while one is being made. */
  private volatile long dueAt;

  private volatile long largestSize;

  Partitions(PostgresDatabase database, long partitionEvents) {
    this.database = database;
    this.partitionEvents = partitionEvents;
  }

  /** Returns when the next event has a partition. */
  void requireRoom() throws SQLException {
    try (Connection connection = connect()) {
      long size = needed(connection);
      long last = newest(connection).map(JournalPartition::last).orElse(0L);
      if (last <= size) {
        makeDue(connection);
      } else {
        dueAt = dueAt(last);
        onSize(size);
      }
    }
  }

  /** Its waits end, so that a server that vanished does not keep the journal open. */
  private Connection connect() throws SQLException {
    Connection connection = database.connectToWrite();
    connection.setAutoCommit(false);
    return connection;
  }

  private long dueAt(long last) {
    return last - Math.max(1, partitionEvents / 2) + 1;
  }

  /** The journal will have so many events when they are appended. */
  void onSize(long size) {
    largestSize = Math.max(largestSize, size);
    if (size >= dueAt) {
      dueAt = Long.MAX_VALUE;
      try {
        thread.execute(() -> makeDue());
      } catch (RejectedExecutionException _) {
        // the journal is closed; another node or the next start makes it
      }
    }
  }

  private void makeDue() {
    try (Connection connection = connect()) {
      makeDue(connection);
      failure.end();
    } catch (SQLException e) {
      if (failure.isNew(String.valueOf(e.getMessage()))) {
        log.atWarn()
            .addKeyValue("failure", StorageFailure.describe(e))
            .log("the next partition of the journal cannot be made now, and is tried again");
      }
      try {
        var _ = thread.schedule(() -> makeDue(), RETRY_MILLIS, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException _) {
        // as above
      }
    }
  }

  private void makeDue(Connection connection) throws SQLException {
    database.lockSchema(connection);
    new PartitionUpgrade(connection, partitionEvents).limitWaits();
    long needed = needed(connection) + Math.max(1, partitionEvents / 2);
    JournalPartition newest =
        newest(connection).orElseThrow(() -> new SQLException("table journal_partition is empty"));
    while (newest.last() < needed) {
      newest = newest.next(partitionEvents);
      make(connection, newest);
    }
    connection.commit();
    dueAt = dueAt(newest.last());
  }

  /** Attaching takes no lock that an append waits for; making it as a partition would. */
  private static void make(Connection connection, JournalPartition partition) throws SQLException {
    String table = partition.table();
    execute(connection, "CREATE TABLE %s (LIKE journal INCLUDING ALL)".formatted(table));
    execute(
        connection,
        "ALTER TABLE journal ATTACH PARTITION %s FOR VALUES %s"
            .formatted(table, partition.bounds()));
    execute(
        connection,
        "INSERT INTO journal_partition (first, last) VALUES (%d, %d)"
            .formatted(partition.first(), partition.last()));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** An append may be larger than a partition. */
  private long needed(Connection connection) throws SQLException {
    return Math.max(size(connection), largestSize);
  }

  private static long size(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT size FROM journal_edge WHERE one = 1")) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  static Optional<JournalPartition> newest(Connection connection) throws SQLException {
    List<JournalPartition> all = all(connection);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
  }

  /** All partitions, by ascending position. */
  static List<JournalPartition> all(Connection connection) throws SQLException {
    List<JournalPartition> all = new ArrayList<>();
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT first, last FROM journal_partition ORDER BY first");
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        all.add(new JournalPartition(row.getLong(1), row.getLong(2)));
      }
    }
    return all;
  }

  @Override
  public void close() {
    thread.shutdownNow();
    thread.close();
  }
}
