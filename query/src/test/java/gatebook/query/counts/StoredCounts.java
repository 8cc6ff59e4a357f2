package gatebook.query.counts;

import gatebook.query.projection.SeededTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The stored counts of a table as text, to compare them. */
public final class StoredCounts {
  private StoredCounts() {}

  public static List<String> of(Connection view, CountTable table) throws SQLException {
    List<String> counts = new ArrayList<>();
    try (Statement select = view.createStatement();
        ResultSet row =
            select.executeQuery(
                "SELECT slot, times, tallies FROM %s ORDER BY slot".formatted(table.name()))) {
      while (row.next()) {
        counts.add(row.getLong(1) + " " + row.getLong(2) + " " + row.getString(3));
      }
    }
    return counts;
  }

  /** Those that follow from the rows. What is stored does not change. */
  public static List<String> derived(Connection view, CountTable table) throws SQLException {
    try (Statement delete = view.createStatement()) {
      int _ = delete.executeUpdate("DELETE FROM " + table.name());
    }
    SeededTable.Filling filling = table.filling(view, view.getSchema(), Long.MAX_VALUE);
    boolean isComplete = false;
    while (!isComplete) {
      isComplete = !filling.writePart();
    }
    List<String> derived = of(view, table);
    view.rollback();
    return derived;
  }
}
