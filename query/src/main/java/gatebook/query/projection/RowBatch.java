package gatebook.query.projection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;

/** Writes a batch of rows with one statement. */
public final class RowBatch {
  private RowBatch() {}

  /** Sets the parameters of a statement that writes a row. */
  @FunctionalInterface
  public interface RowParameters<R> {
    void set(PreparedStatement statement, R row) throws SQLException;
  }

  /** Writes the rows in their order. Prepares no statement when there are none. */
  public static <R> void write(
      Connection view, String sql, Collection<R> rows, RowParameters<? super R> rowParameters)
      throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = view.prepareStatement(sql)) {
      for (R row : rows) {
        rowParameters.set(statement, row);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
