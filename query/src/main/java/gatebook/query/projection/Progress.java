package gatebook.query.projection;

import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Optional;

/**
 * How far a view has come, written in the same transaction as the view itself.
 *
 * <p>Beside the position stands the id of the event there: a view of another journal is recognised
 * by it.
 */
final class Progress {
  private final Connection view;
  private final Journal journal;

  private Progress(Connection view, Journal journal) {
    this.view = view;
    this.journal = journal;
  }

  private record Point(int version, long position, String eventId) {}

  /** Finds the view where it was left, or makes it anew when what is there cannot go on. */
  static Progress of(Connection view, Journal journal, Projection projection) throws SQLException {
    Progress progress = new Progress(view, journal);
    String schema = schema(projection);
    Optional<Point> point = exists(view, schema) ? progress.point(schema) : Optional.empty();
    if (point.filter(it -> progress.goesOn(it, projection)).isEmpty()) {
      progress.startOver(schema, projection);
    }
    progress.execute("SET SCHEMA " + schema);
    return progress;
  }

  static String schema(Projection projection) {
    return projection.name().toUpperCase(Locale.ROOT);
  }

  long position() throws SQLException {
    return point("").map(Point::position).orElseThrow();
  }

  void moveTo(long position) throws SQLException {
    try (PreparedStatement update =
        view.prepareStatement("UPDATE progress SET position = ?, event_id = ?")) {
      update.setLong(1, position);
      update.setString(2, eventId(position).orElse(""));
      update.executeUpdate();
    }
  }

  private boolean goesOn(Point point, Projection projection) {
    return point.version() == projection.version()
        && (point.position() == 0
            || eventId(point.position()).filter(point.eventId()::equals).isPresent());
  }

  private Optional<String> eventId(long position) {
    return position > journal.head()
        ? Optional.empty()
        : journal.read(position - 1, 1).stream()
            .filter(entry -> entry.position() == position)
            .map(Entry::id)
            .findFirst();
  }

  /** The row is written last: a view whose making was cut short has none, and is made again. */
  private void startOver(String schema, Projection projection) throws SQLException {
    execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
    execute("CREATE SCHEMA " + schema);
    execute("SET SCHEMA " + schema);
    for (String table : projection.tables()) {
      execute(table);
    }
    execute("CREATE TABLE progress (version INT, position BIGINT, event_id VARCHAR)");
    execute("INSERT INTO progress VALUES (" + projection.version() + ", 0, '')");
    view.commit();
  }

  private static boolean exists(Connection view, String schema) throws SQLException {
    try (ResultSet tables = view.getMetaData().getTables(null, schema, "PROGRESS", null)) {
      return tables.next();
    }
  }

  private Optional<Point> point(String schema) throws SQLException {
    String table = schema.isEmpty() ? "progress" : schema + ".progress";
    try (Statement select = view.createStatement();
        ResultSet row = select.executeQuery("SELECT version, position, event_id FROM " + table)) {
      return row.next()
          ? Optional.of(new Point(row.getInt(1), row.getLong(2), row.getString(3)))
          : Optional.empty();
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = view.createStatement()) {
      statement.execute(sql);
    }
  }
}
