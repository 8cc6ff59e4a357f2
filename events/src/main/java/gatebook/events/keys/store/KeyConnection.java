package gatebook.events.keys.store;

import gatebook.events.journal.postgres.SharedLocation;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of a store of content keys to its database, made anew after a failure. One thread
 * uses it at a time.
 */
final class KeyConnection implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(KeyConnection.class);
  private static final String WAIT_SECONDS = "10";

  private final SharedLocation location;
  private @Nullable Connection connection;

  /** A use of the tables in one transaction. */
  @FunctionalInterface
  interface Use<T extends @Nullable Object> {
    T run(KeyTables tables) throws IOException, SQLException;
  }

  KeyConnection(SharedLocation location) {
    this.location = location;
  }

  /** Runs a use, and commits it. */
  <T extends @Nullable Object> T run(Use<T> use) throws IOException, SQLException {
    Connection open = connection;
    if (open == null) {
      open = connect();
      connection = open;
      try (Statement statement = open.createStatement()) {
        statement.execute("SET lock_timeout = '" + WAIT_SECONDS + "s'");
      }
      open.commit();
    }
    try {
      T result = use.run(new KeyTables(open));
      open.commit();
      return result;
    } catch (IOException | SQLException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** A new connection, without auto-commit. */
  Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", location.user());
    properties.setProperty("password", location.password());
    properties.setProperty("ApplicationName", "gatebook keys");
    properties.setProperty("tcpKeepAlive", "true");
    Connection opened = DriverManager.getConnection(location.url(), properties);
    opened.setAutoCommit(false);
    return opened;
  }

  /** The database for operators, without user and query, which may hold credentials. */
  String describe() {
    return location.describe();
  }

  @Override
  public void close() {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      log.atDebug().setCause(e).log("closing a connection failed");
    } finally {
      connection = null;
    }
  }
}
