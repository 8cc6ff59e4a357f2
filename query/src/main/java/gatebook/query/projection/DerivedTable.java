package gatebook.query.projection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * A table of a view that is derived from another table of it. The projection keeps both up to date.
 * A rebuild from a position copies only the other table, and fills this one from it.
 */
public interface DerivedTable {
  /** The statements that create the table. */
  List<String> statements();

  /** Fills the empty table with what follows from the rows of the other one, part by part. */
  Filling filling(Connection view);

  /** The filling of a table. */
  @FunctionalInterface
  interface Filling {
    /** Writes the next part. Returns false when it was the last. */
    boolean writePart() throws SQLException;
  }
}
