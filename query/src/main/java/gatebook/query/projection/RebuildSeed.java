package gatebook.query.projection;

import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
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

  private final Connection view;
  private final Journal journal;
  private final Projection projection;
  private final EventReader eventReader;
  private final String oldSchema;
  private final String column;

  private RebuildSeed(
      Connection view,
      Journal journal,
      Projection projection,
      EventReader eventReader,
      String old) {
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
    try (Connection view = views.connect()) {
      views.changeSchema(view, it -> ViewProgress.createTables(it, fresh, projection));
      view.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      new RebuildSeed(view, journal, projection, eventReader, old).fill(upTo);
      ViewProgress.insertRow(view, projection, journal, upTo, journal.head());
    }
  }

  private void fill(long upTo) throws SQLException {
    if (upTo > 0) {
      List<UUID> changed = changedSince(upTo);
      for (ViewTable viewTable : projection.tables()) {
        copy(viewTable.name(), "changed", upTo);
      }
      copy("parked", "position", upTo);
      reproject(changed, upTo);
    }
  }

  /**
   * The calls or trees whose rows existed at the position and were changed later, and those with
   * parked events.
   */
  private List<UUID> changedSince(long upTo) throws SQLException {
    execute("CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS changed_groups (id UUID) NOT PERSISTENT");
    execute("TRUNCATE TABLE changed_groups");
    execute(
        "INSERT INTO changed_groups SELECT DISTINCT %s FROM (".formatted(column)
            + projection.tables().stream()
                .map(viewTable ->
                    "SELECT %s FROM %s.%s WHERE position <= %d AND changed > %d"
                        .formatted(column, oldSchema, viewTable.name(), upTo, upTo))
                .collect(Collectors.joining(" UNION "))
            + " UNION SELECT %s FROM %s.parked) WHERE %s IS NOT NULL"
                .formatted(column, oldSchema, column));
    List<UUID> groups = new ArrayList<>();
    try (Statement select = view.createStatement();
        ResultSet row = select.executeQuery("SELECT id FROM changed_groups")) {
      while (row.next()) {
        groups.add(row.getObject(1, UUID.class));
      }
    }
    return groups;
  }

  private void copy(String table, String newest, long upTo) throws SQLException {
    try (PreparedStatement insert =
        view.prepareStatement(
            "INSERT INTO %s SELECT * FROM %s.%s o WHERE o.%s <= ? AND NOT EXISTS (SELECT 1 FROM changed_groups c WHERE c.id = o.%s)"
                .formatted(table, oldSchema, table, newest, column))) {
      insert.setLong(1, upTo);
      insert.executeUpdate();
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
    for (int from = 0; from < events.size(); from += PAGE) {
      eventParking.project(view, events.subList(from, Math.min(events.size(), from + PAGE)));
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = view.createStatement()) {
      statement.execute(sql);
    }
  }
}
