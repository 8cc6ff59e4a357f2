package gatebook.query.projection;

import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * How far a view has come, written in the same transaction as the view itself.
 *
 * <p>Beside the position stands the id of the event there: a view of another journal is recognised
 * by it. A view that has not come as far as the journal was when its making began knows only a part
 * of what it is asked for, and {@code whole_from} says from where on it knows all.
 */
final class ViewProgress {
  private final Connection view;
  private final Journal journal;
  private final long wholeFrom;

  private ViewProgress(Connection view, Journal journal, long wholeFrom) {
    this.view = view;
    this.journal = journal;
    this.wholeFrom = wholeFrom;
  }

  private record Point(int version, long position, String eventId, long wholeFrom) {}

  /** Finds the view where it was left, or makes it anew when what is there cannot go on. */
  static ViewProgress of(
      ViewFile views, Connection view, Journal journal, Projection projection, String schema)
      throws SQLException {
    Optional<Point> point = exists(view, schema) ? point(view, schema) : Optional.empty();
    if (point.filter(it -> goesOn(it, journal, projection)).isEmpty()) {
      views.define(view, it -> begin(it, schema, projection));
      begun(view, projection, journal, 0, journal.head());
    }
    execute(view, "SET SCHEMA " + schema);
    return new ViewProgress(view, journal, point(view, schema).map(Point::wholeFrom).orElseThrow());
  }

  /** Makes the tables, and nothing else: without the row about it, what there is does not count. */
  static boolean begin(Connection view, String schema, Projection projection) throws SQLException {
    execute(view, "DROP SCHEMA IF EXISTS " + schema + " CASCADE");
    execute(view, "CREATE SCHEMA " + schema);
    execute(view, "SET SCHEMA " + schema);
    for (ViewTable viewTable : projection.tables()) {
      for (String statement : viewTable.statements().toList()) {
        execute(view, statement);
      }
    }
    execute(view, EventParking.TABLE);
    execute(
        view,
        "CREATE TABLE progress"
            + " (version INT, position BIGINT, event_id VARCHAR, whole_from BIGINT)");
    return true;
  }

  /** What is in the tables is what the events up to this position come to. */
  static void begun(
      Connection view, Projection projection, Journal journal, long position, long wholeFrom)
      throws SQLException {
    try (PreparedStatement insert =
        view.prepareStatement("INSERT INTO progress VALUES (?, ?, ?, ?)")) {
      insert.setInt(1, projection.version());
      insert.setLong(2, position);
      insert.setString(3, eventId(journal, position).orElse(""));
      insert.setLong(4, wholeFrom);
      insert.executeUpdate();
    }
    view.commit();
  }

  long position() throws SQLException {
    return point(view, view.getSchema()).map(Point::position).orElseThrow();
  }

  long wholeFrom() {
    return wholeFrom;
  }

  void moveTo(long position) throws SQLException {
    try (PreparedStatement update =
        view.prepareStatement("UPDATE progress SET position = ?, event_id = ?")) {
      update.setLong(1, position);
      update.setString(2, eventId(journal, position).orElse(""));
      update.executeUpdate();
    }
  }

  private static boolean goesOn(Point point, Journal journal, Projection projection) {
    return point.version() == projection.version()
        && (point.position() == 0
            || eventId(journal, point.position()).filter(point.eventId()::equals).isPresent());
  }

  private static Optional<String> eventId(Journal journal, long position) {
    return position > journal.head()
        ? Optional.empty()
        : journal.read(position - 1, 1).stream()
            .filter(entry -> entry.position() == position)
            .map(Entry::id)
            .findFirst();
  }

  private static boolean exists(Connection view, String schema) throws SQLException {
    try (ResultSet tables = view.getMetaData().getTables(null, schema, "PROGRESS", null)) {
      return tables.next();
    }
  }

  private static Optional<Point> point(Connection view, String schema) throws SQLException {
    try (Statement select = view.createStatement();
        ResultSet row =
            select.executeQuery(
                "SELECT version, position, event_id, whole_from FROM " + schema + ".progress")) {
      return row.next()
          ? Optional.of(new Point(row.getInt(1), row.getLong(2), row.getString(3), row.getLong(4)))
          : Optional.empty();
    }
  }

  private static void execute(Connection view, String sql) throws SQLException {
    try (Statement statement = view.createStatement()) {
      statement.execute(sql);
    }
  }
}
