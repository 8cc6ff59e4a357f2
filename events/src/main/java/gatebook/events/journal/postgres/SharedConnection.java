package gatebook.events.journal.postgres;

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
 * A connection to a shared database for something else than its events, made anew after a failure.
 * One thread uses it at a time.
 */
public final class SharedConnection implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(SharedConnection.class);
  private static final String WAIT_SECONDS = "10";

  private final SharedLocation location;
  private final String name;
  private @Nullable Connection connection;

  /** A use of the database in one transaction. */
  @FunctionalInterface
  public interface Use<T extends @Nullable Object> {
    T run(Connection connection) throws IOException, SQLException;
  }

  /**
   * @param name by which the server shows the connection
   */
  public SharedConnection(SharedLocation location, String name) {
    this.location = location;
    this.name = name;
  }

  /** Runs a use, and commits it. */
  public <T extends @Nullable Object> T run(Use<T> use) throws IOException, SQLException {
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
      T result = use.run(open);
      open.commit();
      return result;
    } catch (IOException | SQLException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** A new connection, without auto-commit. */
  public Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", location.user());
    properties.setProperty("password", location.password());
    properties.setProperty("ApplicationName", name);
    properties.setProperty("tcpKeepAlive", "true");
    Connection opened = DriverManager.getConnection(location.url(), properties);
    opened.setAutoCommit(false);
    return opened;
  }

  /** The database for operators, without user and query, which may hold credentials. */
  public String describe() {
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
