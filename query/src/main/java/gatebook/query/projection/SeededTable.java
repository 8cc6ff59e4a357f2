package gatebook.query.projection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * A table of a view whose rows a rebuild from a position cannot copy one by one, since a row comes
 * from many events. The table fills itself.
 */
public interface SeededTable {
  /** The statements that create the table. */
  List<String> statements();

  /**
   * Fills the empty table, part by part, with what it has at a position. The other tables of the
   * view are filled already.
   *
   * @param oldSchema has the old view
   * @param upTo the position; the old view has reached it
   */
  Filling filling(Connection view, String oldSchema, long upTo) throws SQLException;

  /** The filling of a table. */
  @FunctionalInterface
  interface Filling {
    /** Writes the next part. Returns false when it was the last. */
    boolean writePart() throws SQLException;
  }
}
