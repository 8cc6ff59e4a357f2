package gatebook.query.projection;

import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Seeds the schema of a rebuild with the old view's content up to a position. Rows that later
 * events changed no longer have their content of that position: their calls or trees are projected
 * again from the journal.
 */
final class RebuildSeed {
  private static final int EVENTS_PER_GROUP_MAX = 1_000_000;
  private static final int PAGE = 1_000;
  private static final int ROWS_PER_PART = 10_000;

  private final ViewWriting writing;
  private final Connection view;
  private final Journal journal;
  private final Projection projection;
  private final EventReader eventReader;
  private final String oldSchema;
  private final String column;

  private RebuildSeed(
      ViewWriting writing,
      Connection view,
      Journal journal,
      Projection projection,
      EventReader eventReader,
      String old) {
    this.writing = writing;
    this.view = view;
    this.journal = journal;
    this.projection = projection;
    this.eventReader = eventReader;
    this.oldSchema = old;
    this.column = projection.groupTag().column();
  }

  /**
   * Creates the schema with the view's content at this position; the connection then uses this
   * schema.
   */
  static void create(
      ViewFile views,
      Journal journal,
      Projection projection,
      EventReader eventReader,
      String old,
      String fresh,
      long upTo)
      throws SQLException {
    ViewWriting writing = views.writing();
    Connection view = views.connect();
    try {
      writing.change(() -> ViewProgress.createTables(view, fresh, projection));
      view.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      new RebuildSeed(writing, view, journal, projection, eventReader, old).fill(upTo);
      writing.change(() -> ViewProgress.insertRow(view, projection, journal, upTo, journal.head()));
    } finally {
      writing.close(view);
    }
  }

  private void fill(long upTo) throws SQLException {
    if (upTo > 0) {
      List<UUID> changed = changedSince(upTo);
      for (ViewTable viewTable : projection.tables()) {
        copy(viewTable.name(), "changed", upTo);
      }
      copy("parked", "position", upTo);
      for (SeededTable seededTable : projection.seededTables()) {
        SeededTable.Filling filling = seededTable.filling(view, oldSchema, upTo);
        boolean isComplete = false;
        while (!isComplete) {
          isComplete = !writing.change(filling::writePart);
        }
      }
      reproject(changed, upTo);
    }
  }

  /**
   * The calls or trees whose rows existed at the position and were changed later, and those with
   * parked events.
   */
  private List<UUID> changedSince(long upTo) throws SQLException {
    // first, because it ends the transaction: all that is read after it is as of one moment
    writing.change(
        () -> execute("CREATE LOCAL TEMPORARY TABLE changed_groups (id UUID) NOT PERSISTENT"));
    List<UUID> groups = new ArrayList<>();
    try (Statement select = view.createStatement();
        ResultSet row =
            select.executeQuery(
                "SELECT DISTINCT %s FROM (".formatted(column)
                    + projection.tables().stream()
                        .map(viewTable ->
                            "SELECT %s FROM %s.%s WHERE position <= %d AND changed > %d"
                                .formatted(column, oldSchema, viewTable.name(), upTo, upTo))
                        .collect(Collectors.joining(" UNION "))
                    + " UNION SELECT %s FROM %s.parked) WHERE %s IS NOT NULL"
                        .formatted(column, oldSchema, column))) {
      while (row.next()) {
        groups.add(row.getObject(1, UUID.class));
      }
    }
    for (List<UUID> part : parts(groups)) {
      writing.change(() -> insert(part));
    }
    return groups;
  }

  private boolean insert(List<UUID> groups) throws SQLException {
    RowBatch.write(
        view,
        "INSERT INTO changed_groups VALUES (?)",
        groups,
        (insert, group) -> insert.setObject(1, group));
    return true;
  }

  /** Copies a part of the rows at a time, so that other views can write between two parts. */
  private void copy(String table, String newest, long upTo) throws SQLException {
    try (PreparedStatement insert =
            view.prepareStatement(
                "INSERT INTO %s SELECT * FROM %s.%s o WHERE o._ROWID_ BETWEEN ? AND ? AND o.%s <= ? AND NOT EXISTS (SELECT 1 FROM changed_groups c WHERE c.id = o.%s)"
                    .formatted(table, oldSchema, table, newest, column));
        PreparedStatement part =
            view.prepareStatement(
                "SELECT MIN(id), MAX(id) FROM (SELECT _ROWID_ AS id FROM %s.%s WHERE _ROWID_ > ? ORDER BY _ROWID_ FETCH FIRST %d ROWS ONLY)"
                    .formatted(oldSchema, table, ROWS_PER_PART))) {
      insert.setLong(3, upTo);
      part.setLong(1, Long.MIN_VALUE);
      while (findRows(part, insert)) {
        writing.change(insert::executeUpdate);
      }
    }
  }

  /** Sets the insertion's parameters to the next part of the rows; false when there is none. */
  private static boolean findRows(PreparedStatement part, PreparedStatement insert)
      throws SQLException {
    try (ResultSet row = part.executeQuery()) {
      row.next();
      insert.setLong(1, row.getLong(1));
      insert.setLong(2, row.getLong(2));
      boolean isThere = !row.wasNull();
      part.setLong(1, row.getLong(2));
      return isThere;
    }
  }

  private void reproject(List<UUID> groups, long upTo) throws SQLException {
    List<Entry> events = new ArrayList<>();
    for (UUID group : groups) {
      events.addAll(
          journal.find(projection.groupTag().criteria(group), 0, upTo, EVENTS_PER_GROUP_MAX));
    }
    events.sort(Comparator.comparingLong(Entry::position));
    EventParking eventParking =
        new EventParking(
            new AnnotatedProjection(projection, eventReader), journal, InstantSource.system());
    for (List<Entry> part : parts(events)) {
      writing.change(() -> {
        eventParking.project(view, part);
        return true;
      });
    }
  }

  private static <T> List<List<T>> parts(List<T> whole) {
    List<List<T>> parts = new ArrayList<>();
    for (int from = 0; from < whole.size(); from += PAGE) {
      parts.add(whole.subList(from, Math.min(whole.size(), from + PAGE)));
    }
    return parts;
  }

  private boolean execute(String sql) throws SQLException {
    try (Statement statement = view.createStatement()) {
      return statement.execute(sql);
    }
  }
}
