package gatebook.query.projection;

import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * The progress of a view, written in the same transaction as the view itself.
 *
 * <p>The id of the event at the position is stored too, so that a view of another journal is
 * recognised. A view is incomplete until it has reached the journal's head of the time when it was
 * created; {@code whole_from} is that position.
 */
final class ViewProgress {
  private final Connection view;
  private final long completeFrom;

  private ViewProgress(Connection view, long completeFrom) {
    this.view = view;
    this.completeFrom = completeFrom;
  }

  private record StoredProgress(int version, long position, String eventId, long completeFrom) {}

  /**
   * Opens the stored view, or creates an empty one when there is none or the stored one cannot be
   * continued.
   */
  static ViewProgress open(
      ViewFile views, Connection view, Journal journal, Projection projection, String schema)
      throws SQLException {
    Optional<StoredProgress> storedProgress =
        exists(view, schema) ? storedProgress(view, schema) : Optional.empty();
    if (storedProgress.filter(it -> canContinue(it, journal, projection)).isEmpty()) {
      views
          .writing()
          .change(() -> {
            createTables(view, schema, projection);
            return insertRow(view, projection, journal, 0, journal.head());
          });
    }
    execute(view, "SET SCHEMA " + schema);
    return new ViewProgress(
        view, storedProgress(view, schema).map(StoredProgress::completeFrom).orElseThrow());
  }

  /**
   * Creates the tables only: a schema without a row in the progress table does not count as a view.
   */
  static boolean createTables(Connection view, String schema, Projection projection)
      throws SQLException {
    execute(view, "DROP SCHEMA IF EXISTS " + schema + " CASCADE");
    execute(view, "CREATE SCHEMA " + schema);
    execute(view, "SET SCHEMA " + schema);
    for (ViewTable viewTable : projection.tables()) {
      for (String statement : viewTable.statements(projection.groupTag()).toList()) {
        execute(view, statement);
      }
    }
    for (SeededTable seededTable : projection.seededTables()) {
      for (String statement : seededTable.statements()) {
        execute(view, statement);
      }
    }
    execute(view, EventParking.table(projection.groupTag()));
    execute(
        view,
        "CREATE TABLE progress"
            + " (version INT, position BIGINT, event_id VARCHAR, whole_from BIGINT)");
    return true;
  }

  /** Stores that the tables contain the result of all events up to {@code position}. */
  static boolean insertRow(
      Connection view, Projection projection, Journal journal, long position, long completeFrom)
      throws SQLException {
    try (PreparedStatement insert =
        view.prepareStatement("INSERT INTO progress VALUES (?, ?, ?, ?)")) {
      insert.setInt(1, projection.version());
      insert.setLong(2, position);
      insert.setString(3, eventId(journal, position).orElse(""));
      insert.setLong(4, completeFrom);
      insert.executeUpdate();
    }
    view.commit();
    return true;
  }

  long position() throws SQLException {
    return storedProgress(view, view.getSchema()).map(StoredProgress::position).orElseThrow();
  }

  long completeFrom() {
    return completeFrom;
  }

  void moveTo(Entry last) throws SQLException {
    try (PreparedStatement update =
        view.prepareStatement("UPDATE progress SET position = ?, event_id = ?")) {
      update.setLong(1, last.position());
      update.setString(2, last.id());
      update.executeUpdate();
    }
  }

  private static boolean canContinue(
      StoredProgress storedProgress, Journal journal, Projection projection) {
    return storedProgress.version() == projection.version()
        && (storedProgress.position() == 0
            || eventId(journal, storedProgress.position())
                .filter(storedProgress.eventId()::equals)
                .isPresent());
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

  private static Optional<StoredProgress> storedProgress(Connection view, String schema)
      throws SQLException {
    try (Statement select = view.createStatement();
        ResultSet row =
            select.executeQuery(
                "SELECT version, position, event_id, whole_from FROM " + schema + ".progress")) {
      return row.next()
          ? Optional.of(
              new StoredProgress(row.getInt(1), row.getLong(2), row.getString(3), row.getLong(4)))
          : Optional.empty();
    }
  }

  private static void execute(Connection view, String sql) throws SQLException {
    try (Statement statement = view.createStatement()) {
      statement.execute(sql);
    }
  }
}
