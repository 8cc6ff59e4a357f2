package gatebook.events.keys.store;

import gatebook.events.journal.postgres.SharedConnection;
import gatebook.events.journal.postgres.SharedLocation;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The connection of a store of content keys to its database. One thread uses it at a time. */
final class KeyConnection implements AutoCloseable {

  private final SharedConnection database;

  /** A use of the tables in one transaction. */
  @FunctionalInterface
  interface Use<T extends @Nullable Object> {
    T run(KeyTables tables) throws IOException, SQLException;
  }

  KeyConnection(SharedLocation location) {
    this.database = new SharedConnection(location, "gatebook keys");
  }

  /** Runs a use, and commits it. */
  <T extends @Nullable Object> T run(Use<T> use) throws IOException, SQLException {
    return database.run(connection -> use.run(new KeyTables(connection)));
  }

  /** A new connection, without auto-commit. */
  Connection connect() throws SQLException {
    return database.connect();
  }

  /** The database for operators, without user and query, which may hold credentials. */
  String describe() {
    return database.describe();
  }

  @Override
  public void close() {
    database.close();
  }
}
