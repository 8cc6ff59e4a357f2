package gatebook.events.journal.postgres;

import com.zaxxer.hikari.HikariDataSource;
import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.JournalLimits;
import gatebook.events.journal.OpenRefusal;
import gatebook.events.journal.sql.Database;
import gatebook.events.journal.sql.ReadConnections;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.function.LongConsumer;

/** The shared PostgreSQL database: several processes may append to it, one batch at a time. */
final class PostgresDatabase implements Database {
  static final String CHANNEL = "gatebook_journal";

  /** An arbitrary number, the same in every process. */
  private static final long SCHEMA_LOCK = 0x6761_7465_626f_6f6bL;

  private static final List<String> REQUIRED_SETTINGS = List.of("fsync", "synchronous_commit");

  private static final String BYTES =
      "SELECT pg_total_relation_size('journal') + pg_total_relation_size('journal_tag')"
          + " + pg_total_relation_size('journal_edge')"
          + " + pg_total_relation_size('journal_checkpoint')";

  private static final int WAIT_SECONDS = 10;

  private final String url;
  private final Properties properties = new Properties();
  private final HikariDataSource readers;

  PostgresDatabase(String url, String user, String password, JournalLimits limits) {
    this.url = url;
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    properties.setProperty("reWriteBatchedInserts", "true");
    properties.setProperty("ApplicationName", "gatebook journal");
    properties.setProperty("tcpKeepAlive", "true");
    this.readers = ReadConnections.pool(url, user, password, limits.readersMax());
  }

  @Override
  public void check() throws OpenRefusal, SQLException {
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

  @Override
  public void requireExisting() {
    // connecting to a database creates nothing in it
  }

  @Override
  public int snapshotIsolation() {
    return Connection.TRANSACTION_REPEATABLE_READ;
  }

  @Override
  public Connection connect() throws SQLException {
    return connect(properties);
  }

  /** A node that hangs in its transaction, or a host that vanished, must not block the others. */
  @Override
  public Connection connectToWrite() throws SQLException {
    Properties bounded = new Properties();
    bounded.putAll(properties);
    bounded.setProperty("socketTimeout", Integer.toString(2 * WAIT_SECONDS));
    Connection connection = connect(bounded);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET lock_timeout = '" + WAIT_SECONDS + "s'");
      statement.execute("SET idle_in_transaction_session_timeout = '" + WAIT_SECONDS + "s'");
      connection.commit();
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private Connection connect(Properties connectionProperties) throws SQLException {
    Connection connection = DriverManager.getConnection(url, connectionProperties);
    connection.setAutoCommit(false);
    return connection;
  }

  @Override
  public <T> T read(ConnectionReader<T> connectionReader) throws SQLException {
    try (Connection connection = readers.getConnection()) {
      return connectionReader.read(connection);
    }
  }

  @Override
  public String schemaResource() {
    return "postgresql.sql";
  }

  @Override
  public void lockSchema(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_xact_lock(" + SCHEMA_LOCK + ")");
    }
  }

  @Override
  public void notifyOthers(Connection connection, long head) throws SQLException {
    try (PreparedStatement notify = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
      notify.setString(1, CHANNEL);
      notify.setString(2, Long.toString(head));
      notify.execute();
    }
  }

  @Override
  public Runnable followOthers(LongConsumer onAppend) {
    AppendNotifications appendNotifications = new AppendNotifications(this, onAppend);
    appendNotifications.start();
    return appendNotifications::close;
  }

  @Override
  public void force(Connection connection) {
    // a commit returns after the server forced its write-ahead log
  }

  @Override
  public void finish(Connection connection) {
    // the server recovers its own database
  }

  @Override
  public void startOver(Connection connection) {
    // nothing is stored beside the rows
  }

  @Override
  public void makeDurable(Connection connection, CommittedBatch batch) {
    // as in force
  }

  @Override
  public void abandon(Connection connection) {
    readers.getHikariPoolMXBean().softEvictConnections();
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public long bytes() throws SQLException {
    return read(connection -> {
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(BYTES)) {
        row.next();
        return row.getLong(1);
      }
    });
  }

  /** Without user and query, which may hold credentials. */
  @Override
  public String describe() {
    int query = url.indexOf('?');
    String bare = query < 0 ? url : url.substring(0, query);
    return bare.replaceFirst("//[^/@]*@", "//");
  }

  @Override
  public void close() {
    readers.close();
  }
}
