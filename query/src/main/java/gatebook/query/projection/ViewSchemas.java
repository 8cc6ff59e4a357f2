package gatebook.query.projection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The schemas of the views, and which of them is in use. A view is rebuilt in a schema of its own,
 * and one row that names the schema in use changes when the rebuild is done. A process may die at
 * any moment: the old view stays intact.
 */
final class ViewSchemas {
  private static final String FIRST = "_1";

  private ViewSchemas() {}

  /**
   * The schema in use. Drops all other schemas of the view, which interrupted rebuilds left behind.
   */
  static String inUse(Connection views, String view) throws SQLException {
    execute(
        views,
        "CREATE TABLE IF NOT EXISTS PUBLIC.in_use (view VARCHAR PRIMARY KEY, schema VARCHAR NOT"
            + " NULL)");
    String used = find(views, view);
    for (String schema : all(views, view)) {
      if (!schema.equals(used)) {
        drop(views, schema);
      }
    }
    return used;
  }

  private static String find(Connection views, String view) throws SQLException {
    try (PreparedStatement select =
        views.prepareStatement("SELECT schema FROM PUBLIC.in_use WHERE view = ?")) {
      select.setString(1, view);
      try (ResultSet row = select.executeQuery()) {
        if (row.next()) {
          return row.getString(1);
        }
      }
    }
    String first = prefix(view) + FIRST;
    use(views, view, first);
    return first;
  }

  private static List<String> all(Connection views, String view) throws SQLException {
    List<String> schemas = new ArrayList<>();
    try (ResultSet row = views.getMetaData().getSchemas()) {
      while (row.next()) {
        String schema = row.getString(1);
        if (schema.equals(prefix(view)) || schema.matches(prefix(view) + "_\\d+")) {
          schemas.add(schema);
        }
      }
    }
    return schemas;
  }

  /** Drops the schemas of all views but those with these names. */
  static boolean dropAllBut(Connection views, Set<String> names) throws SQLException {
    List<String> others = new ArrayList<>();
    try (Statement select = views.createStatement();
        ResultSet row = select.executeQuery("SELECT view FROM PUBLIC.in_use")) {
      while (row.next()) {
        others.add(row.getString(1));
      }
    }
    others.removeAll(names);
    for (String view : others) {
      for (String schema : all(views, view)) {
        drop(views, schema);
      }
      try (PreparedStatement delete =
          views.prepareStatement("DELETE FROM PUBLIC.in_use WHERE view = ?")) {
        delete.setString(1, view);
        delete.executeUpdate();
      }
    }
    views.commit();
    return !others.isEmpty();
  }

  /** The name of the schema for the next rebuild. */
  static String next(String schema) {
    int number = schema.lastIndexOf('_') + 1;
    return schema.substring(0, number) + (Long.parseLong(schema.substring(number)) + 1);
  }

  static boolean use(Connection views, String view, String schema) throws SQLException {
    try (PreparedStatement merge =
        views.prepareStatement(
            "MERGE INTO PUBLIC.in_use (view, schema) KEY (view) VALUES (?, ?)")) {
      merge.setString(1, view);
      merge.setString(2, schema);
      merge.executeUpdate();
    }
    views.commit();
    return true;
  }

  static boolean drop(Connection views, String schema) throws SQLException {
    return execute(views, "DROP SCHEMA IF EXISTS " + schema + " CASCADE");
  }

  private static String prefix(String view) {
    return view.toUpperCase(Locale.ROOT);
  }

  private static boolean execute(Connection views, String sql) throws SQLException {
    try (Statement statement = views.createStatement()) {
      return statement.execute(sql);
    }
  }
}
