package gatebook.events.journal.postgres;

import com.zaxxer.hikari.HikariDataSource;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.OpenRefusal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.function.LongConsumer;

/** The shared PostgreSQL database: several processes may append to it, one batch at a time. */
final class PostgresDatabase implements RowAccess, AutoCloseable {
  static final String CHANNEL = "gatebook_journal";

  /** An arbitrary number, the same in every process. */
  private static final long SCHEMA_LOCK = 0x6761_7465_626f_6f6bL;

  /** The same. */
  private static final int PARTITION_LOCK = 0x6761_7465;

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private static final List<String> REQUIRED_SETTINGS = List.of("fsync", "synchronous_commit");

  private static final String BYTES =
      "SELECT (SELECT COALESCE(SUM(pg_total_relation_size(relid)), 0)"
          + " FROM pg_partition_tree('journal'))::bigint"
          + " + pg_total_relation_size('journal_tag') + pg_total_relation_size('journal_archive')"
          + " + pg_total_relation_size('journal_kept')"
          + " + pg_total_relation_size('journal_edge')"
          + " + pg_total_relation_size('journal_checkpoint')";

  private static final int WAIT_SECONDS = 10;

  private final SharedLocation location;
  private final Properties properties = new Properties();
  private final HikariDataSource readers;

  PostgresDatabase(SharedLocation location, JournalLimits limits) {
    this.location = location;
    properties.setProperty("user", location.user());
    properties.setProperty("password", location.password());
    properties.setProperty("ApplicationName", "gatebook journal");
    properties.setProperty("tcpKeepAlive", "true");
    this.readers = ReadConnections.pool(location, limits.readersMax());
  }

  /** Checks that the server can be used; the refusal says in one sentence why it cannot. */
  void check() throws OpenRefusal, SQLException {
    try (Connection connection = connect()) {
      for (String setting : REQUIRED_SETTINGS) {
        if (show(connection, setting).equals("off")) {
          throw new OpenRefusal(
              "the database %s has %s switched off: what it confirms may be lost, switch it on"
                  .formatted(describe(), setting));
        }
      }
    }
  }

  private static String show(Connection connection, String setting) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW " + setting)) {
      row.next();
      return row.getString(1);
    }
  }

  /** A new connection, without auto-commit. */
  Connection connect() throws SQLException {
    Connection connection = DriverManager.getConnection(location.url(), properties);
    connection.setAutoCommit(false);
    return connection;
  }

  /**
   * A new connection for the writer, in auto-commit: every wait on it has a timeout. A node that
   * hangs in its transaction, or a host that vanished, must not block the others.
   */
  Connection connectToWrite() throws SQLException {
    Properties bounded = new Properties();
    bounded.putAll(properties);
    bounded.setProperty("socketTimeout", Integer.toString(2 * WAIT_SECONDS));
    Connection connection = DriverManager.getConnection(location.url(), bounded);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET lock_timeout = '" + WAIT_SECONDS + "s'");
      statement.execute("SET idle_in_transaction_session_timeout = '" + WAIT_SECONDS + "s'");
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** Reads with a pooled read-only connection, in auto-commit. */
  @Override
  public <T> T read(ConnectionReader<T> connectionReader) throws SQLException {
    try (Connection connection = readers.getConnection()) {
      return connectionReader.read(connection);
    }
  }

  /**
   * Keeps other processes from moving and dropping partitions, in auto-commit. The lock is given
   * back with the connection, also when this process is killed.
   *
   * @param wait for how long another process is waited for
   * @return whether this connection has the lock
   */
  boolean lockPartitions(Connection connection, Duration wait) throws SQLException {
    boolean isLocked =
        isLockedWithin(
            connection,
            wait,
            "SELECT pg_advisory_lock(%d, 'journal'::regclass::oid::int)".formatted(PARTITION_LOCK));
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET lock_timeout = 0");
    }
    return isLocked;
  }

  /**
   * Lets a process that waits for the lock have it.
   *
   * @return whether this connection has the lock again
   */
  boolean lockPartitionsAgain(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "SELECT pg_advisory_unlock(%d, 'journal'::regclass::oid::int)".formatted(PARTITION_LOCK));
    }
    return lockPartitions(connection, Duration.ZERO);
  }

  /** Whether a statement gets its lock before the time is over, which holds for later ones, too. */
  static boolean isLockedWithin(Connection connection, Duration wait, String sql)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET lock_timeout = '%dms'".formatted(Math.max(1, wait.toMillis())));
      statement.execute(sql);
      return true;
    } catch (SQLException e) {
      if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  /** Keeps other processes from creating the schema until the transaction ends. */
  void lockSchema(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_xact_lock(" + SCHEMA_LOCK + ")");
    }
  }

  /** The same until the connection is closed, over several transactions. */
  void lockSchemaUntilClosed(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(" + SCHEMA_LOCK + ")");
    }
    connection.commit();
  }

  /**
   * Calls back with the journal's head, soon and at least once, after another process appended; on
   * a thread of its own.
   *
   * @return stops the calls
   */
  Runnable followOthers(LongConsumer onAppend) {
    AppendNotifications appendNotifications = new AppendNotifications(this, onAppend);
    appendNotifications.start();
    return appendNotifications::close;
  }

  /** Gives up the connections for reading after a failure, so that new ones are made. */
  void abandon() {
    readers.getHikariPoolMXBean().softEvictConnections();
  }

  /** How many bytes the journal takes on the disk of its server. */
  long bytes() throws SQLException {
    return read(PostgresDatabase::bytes);
  }

  static long bytes(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(BYTES)) {
      row.next();
      return row.getLong(1);
    }
  }

  String describe() {
    return location.describe();
  }

  @Override
  public void close() {
    readers.close();
  }
}
