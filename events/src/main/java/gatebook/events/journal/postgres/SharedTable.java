package gatebook.events.journal.postgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A small table of a shared database that is none of the journal's, created when it is first
 * needed. One thread uses it at a time.
 */
public final class SharedTable implements AutoCloseable {
  private final SharedConnection database;
  private final long creationLock;
  private final String creation;
  private boolean exists;

  /**
   * @param name by which the server shows the connection
   * @param creationLock an arbitrary number, the same in every process
   * @param creation the statement that creates the table if there is none
   */
  public SharedTable(SharedLocation location, String name, long creationLock, String creation) {
    this.database = new SharedConnection(location, name);
    this.creationLock = creationLock;
    this.creation = creation;
  }

  /** Runs a use in one transaction. */
  public <T extends @Nullable Object> T run(SharedConnection.Use<T> use) throws IOException {
    try {
      if (!exists) {
        database.run(this::create);
        exists = true;
      }
      return database.run(use);
    } catch (SQLException e) {
      throw new IOException("the database %s failed".formatted(database.describe()), e);
    }
  }

  private boolean create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_xact_lock(" + creationLock + ")");
      return statement.execute(creation);
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
