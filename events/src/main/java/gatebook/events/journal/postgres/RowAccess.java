package gatebook.events.journal.postgres;

import java.sql.Connection;
import java.sql.SQLException;

/** Access to the rows, by a connection that is taken for each read. */
interface RowAccess {

  /** Reads with a connection that it does not close. */
  @FunctionalInterface
  interface ConnectionReader<T> {
    T read(Connection connection) throws SQLException;
  }

  <T> T read(ConnectionReader<T> connectionReader) throws SQLException;

  /** Access by one connection. */
  record Single(Connection connection) implements RowAccess {
    @Override
    public <T> T read(ConnectionReader<T> connectionReader) throws SQLException {
      return connectionReader.read(connection);
    }
  }
}
