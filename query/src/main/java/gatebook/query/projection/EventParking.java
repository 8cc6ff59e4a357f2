package gatebook.query.projection;

import gatebook.events.call.TextPrefix;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.query.projection.ParkedEvent.RetryResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Passes events to a projection, and parks events that the projection cannot handle. Later events
 * of the same call or tree are parked behind them, so that its events never change their order.
 *
 * <p>A failure of the database itself is not caused by an event: it fails the batch, which is
 * retried.
 */
final class EventParking {
  /** SQLSTATE classes of errors that the data causes. */
  private static final Set<String> DATA_ERRORS = Set.of("21", "22", "23");

  static final String TABLE = "parked";

  private static final int ERROR_CHARS_MAX = 1_024;

  private final AnnotatedProjection projection;
  private final GroupTag groupTag;
  private final Journal journal;
  private final InstantSource clock;

  /** The groups with parked events. Most pages contain no event of these groups. */
  private final Set<UUID> blockedGroups = new HashSet<>();

  private final AtomicLong count = new AtomicLong();

  EventParking(AnnotatedProjection projection, Journal journal, InstantSource clock) {
    this.projection = projection;
    this.groupTag = projection.groupTag();
    this.journal = journal;
    this.clock = clock;
  }

  /** The statement that creates the table of parked events. */
  static String table(GroupTag groupTag) {
    return "CREATE TABLE parked (position BIGINT PRIMARY KEY, %s UUID, error VARCHAR,"
            .formatted(groupTag.column())
        + " parked_at VARCHAR NOT NULL, attempts INT NOT NULL)";
  }

  /**
   * Reads from the database which groups have parked events. Also called after a rollback, when the
   * state in memory may be wrong.
   */
  void open(Connection view) throws SQLException {
    blockedGroups.clear();
    long found = 0;
    try (PreparedStatement select =
            view.prepareStatement("SELECT %s FROM parked".formatted(groupTag.column()));
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        found++;
        @Nullable UUID group = row.getObject(1, UUID.class);
        if (group != null) {
          blockedGroups.add(group);
        }
      }
    }
    count.set(found);
  }

  /** The number of parked events. */
  long count() {
    return count.get();
  }

  void project(Connection view, List<Entry> events) throws SQLException {
    List<Entry> unblocked = blockedGroups.isEmpty() ? events : parkBlocked(view, events);
    if (!unblocked.isEmpty() && tryProject(view, unblocked).isPresent()) {
      for (Entry event : unblocked) {
        projectOne(view, event);
      }
    }
    if (events.stream().anyMatch(AnnotatedProjection::isDrop)) {
      open(view);
    }
  }

  private List<Entry> parkBlocked(Connection view, List<Entry> events) throws SQLException {
    List<Entry> unblocked = new ArrayList<>();
    for (Entry event : events) {
      if (isBlocked(event)) {
        park(view, event, null);
      } else {
        unblocked.add(event);
      }
    }
    return unblocked;
  }

  private boolean isBlocked(Entry event) {
    return groupTag.of(event).filter(blockedGroups::contains).isPresent();
  }

  private void projectOne(Connection view, Entry event) throws SQLException {
    if (isBlocked(event)) {
      park(view, event, null);
      return;
    }
    Optional<String> error = tryProject(view, List.of(event));
    if (error.isPresent()) {
      park(view, event, error.get());
    }
  }

  /** Empty when all events were projected; else the error, and none of them was. */
  private Optional<String> tryProject(Connection view, List<Entry> events) throws SQLException {
    Savepoint before = view.setSavepoint();
    try {
      projection.project(view, events);
      view.releaseSavepoint(before);
      return Optional.empty();
    } catch (JournalUnreadable | ViewFailed e) {
      throw e;
    } catch (RuntimeException e) {
      view.rollback(before);
      return Optional.of(message(e));
    } catch (SQLException e) {
      if (!isDataError(e)) {
        throw e;
      }
      view.rollback(before);
      return Optional.of(message(e));
    }
  }

  private static boolean isDataError(SQLException e) {
    String state = e.getSQLState();
    return state != null && state.length() > 2 && DATA_ERRORS.contains(state.substring(0, 2));
  }

  private static String message(Exception e) {
    String message =
        "%s: %s".formatted(e.getClass().getSimpleName(), Objects.toString(e.getMessage(), ""));
    return message.length() <= ERROR_CHARS_MAX
        ? message
        : TextPrefix.of(message, ERROR_CHARS_MAX) + "…";
  }

  private void park(Connection view, Entry event, @Nullable String error) throws SQLException {
    Optional<UUID> group = groupTag.of(event);
    try (PreparedStatement insert =
        view.prepareStatement("INSERT INTO parked VALUES (?, ?, ?, ?, ?)")) {
      insert.setLong(1, event.position());
      insert.setObject(2, group.orElse(null));
      insert.setString(3, error);
      insert.setString(4, clock.instant().toString());
      insert.setInt(5, error == null ? 0 : 1);
      insert.executeUpdate();
    }
    group.ifPresent(blockedGroups::add);
    count.incrementAndGet();
  }

  /** Retries a parked event, and then the events that were parked behind it. */
  RetryResult retry(Connection view, long position) throws SQLException {
    Optional<Row> row = row(view, position);
    if (row.isEmpty()) {
      return new RetryResult.NotParked();
    }
    Optional<Long> earlier = firstParked(view, row.get().group).filter(it -> it < position);
    if (earlier.isPresent()) {
      return new RetryResult.Blocked(earlier.get());
    }
    Optional<String> error = retryRow(view, row.get());
    if (error.isPresent()) {
      return new RetryResult.Failed(error.get());
    }
    retryBlocked(view, row.get().group);
    return new RetryResult.Done();
  }

  /**
   * Removes a parked event without projecting it, and retries the events parked behind it. Returns
   * false when no event is parked at this position.
   */
  boolean discard(Connection view, long position) throws SQLException {
    Optional<Row> row = row(view, position);
    if (row.isPresent()) {
      delete(view, position);
      retryBlocked(view, row.get().group);
    }
    return row.isPresent();
  }

  private void retryBlocked(Connection view, @Nullable UUID group) throws SQLException {
    Optional<Long> next = group == null ? Optional.empty() : firstParked(view, group);
    while (next.isPresent() && retryRow(view, row(view, next.get()).orElseThrow()).isEmpty()) {
      next = firstParked(view, group);
    }
  }

  private Optional<String> retryRow(Connection view, Row row) throws SQLException {
    Optional<Entry> event = event(journal, row.position);
    Optional<String> error =
        event.isEmpty()
            ? Optional.of("the event was dropped")
            : tryProject(view, List.of(event.get()));
    if (error.isEmpty()) {
      delete(view, row.position);
    } else {
      recordFailure(view, row.position, error.get());
    }
    return error;
  }

  private static void recordFailure(Connection view, long position, String error)
      throws SQLException {
    try (PreparedStatement update =
        view.prepareStatement(
            "UPDATE parked SET error = ?, attempts = attempts + 1 WHERE position = ?")) {
      update.setString(1, error);
      update.setLong(2, position);
      update.executeUpdate();
    }
  }

  private static void delete(Connection view, long position) throws SQLException {
    try (PreparedStatement delete =
        view.prepareStatement("DELETE FROM parked WHERE position = ?")) {
      delete.setLong(1, position);
      delete.executeUpdate();
    }
  }

  private record Row(
      long position,
      @Nullable UUID group,
      @Nullable String error,
      Instant parkedAt,
      int attempts) {}

  private Optional<Row> row(Connection view, long position) throws SQLException {
    return rows(view, groupTag, "position = ?", position, 1).stream().findFirst();
  }

  private Optional<Long> firstParked(Connection view, @Nullable UUID group) throws SQLException {
    return group == null
        ? Optional.empty()
        : rows(view, groupTag, groupTag.column() + " = ?", group, 1).stream()
            .map(Row::position)
            .findFirst();
  }

  private static List<Row> rows(
      Connection view, GroupTag groupTag, String condition, Object value, int limit)
      throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT position, %s, error, parked_at, attempts FROM parked WHERE %s ORDER BY position LIMIT ?"
                .formatted(groupTag.column(), condition))) {
      select.setObject(1, value);
      select.setInt(2, limit);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          rows.add(
              new Row(
                  row.getLong(1),
                  row.getObject(2, UUID.class),
                  row.getString(3),
                  Instant.parse(row.getString(4)),
                  row.getInt(5)));
        }
      }
    }
    return rows;
  }

  /** The parked events of a view, oldest first. */
  static List<ParkedEvent> list(Connection view, GroupTag groupTag, Journal journal, int limit)
      throws SQLException {
    return rows(view, groupTag, "position > ?", 0L, limit).stream()
        .flatMap(row -> event(journal, row.position).map(event -> parked(row, event)).stream())
        .toList();
  }

  /** Empty when the event was dropped, and the view does not know it yet. */
  private static Optional<Entry> event(Journal journal, long position) {
    return journal.read(position - 1, 1).stream()
        .filter(entry -> entry.position() == position)
        .findFirst();
  }

  private static ParkedEvent parked(Row row, Entry event) {
    return new ParkedEvent(
        row.position,
        GroupTag.CALL.of(event).orElse(null),
        GroupTag.TREE.of(event).orElse(null),
        event.name(),
        Instant.parse(event.at()),
        row.error,
        row.parkedAt,
        row.attempts);
  }
}
