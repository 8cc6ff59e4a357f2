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
            select.executeQuery("SELECT * FROM %s ORDER BY slot".formatted(table.name()))) {
      while (row.next()) {
        List<String> columns = new ArrayList<>();
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
          columns.add(row.getString(i));
        }
        counts.add(String.join(" ", columns));
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
