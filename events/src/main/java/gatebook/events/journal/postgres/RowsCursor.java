package gatebook.events.journal.postgres;

import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.RowCursor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of a query, of which few are in memory at a time while its transaction is open. */
record RowsCursor<T>(PreparedStatement select, ResultSet rows, Reader<T> reader)
    implements RowCursor<T> {
  private static final int PAGE = 1_000;

  /** Reads a row. */
  @FunctionalInterface
  interface Reader<T> {
    T of(ResultSet row) throws SQLException;
  }

  /** Runs a query. */
  static <T> RowsCursor<T> of(
      Connection connection, String sql, Reader<T> reader, Object... parameters)
      throws SQLException {
    PreparedStatement select = connection.prepareStatement(sql);
    try {
      select.setFetchSize(PAGE);
      for (int i = 0; i < parameters.length; i++) {
        select.setObject(i + 1, parameters[i]);
      }
      return new RowsCursor<>(select, select.executeQuery(), reader);
    } catch (SQLException e) {
      select.close();
      throw e;
    }
  }

  /** The first row of a query. */
  static <T> Optional<T> first(
      Connection connection, String sql, Reader<T> reader, Object... parameters)
      throws SQLException {
    try (RowsCursor<T> cursor = of(connection, sql, reader, parameters)) {
      return cursor.rows.next() ? Optional.of(reader.of(cursor.rows)) : Optional.empty();
    }
  }

  /** All rows of a query. */
  static <T> List<T> all(Connection connection, String sql, Reader<T> reader, Object... parameters)
      throws SQLException {
    try (RowsCursor<T> cursor = of(connection, sql, reader, parameters)) {
      List<T> all = new ArrayList<>();
      while (cursor.rows.next()) {
        all.add(reader.of(cursor.rows));
      }
      return all;
    }
  }

  @Override
  public @Nullable T next() {
    try {
      return rows.next() ? reader.of(rows) : null;
    } catch (SQLException e) {
      throw new JournalUnreadable(RowStorage.failure(e));
    }
  }

  @Override
  public void close() {
    try {
      select.close();
    } catch (SQLException e) {
      throw new JournalUnreadable(RowStorage.failure(e));
    }
  }
}
