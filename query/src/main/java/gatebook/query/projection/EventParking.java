package gatebook.query.projection;

import gatebook.events.call.TextPrefix;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalUnreadable;
import gatebook.query.projection.ParkedEvent.Attempt;
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
 * Hands a projection its events, and puts aside those that it cannot take in. What comes later of
 * the same call waits behind them, so that a call's events never change their order.
 *
 * <p>What the database itself cannot do is nobody's event's fault: it fails the batch, which is
 * tried again.
 */
final class EventParking {
  static final String TABLE =
      "CREATE TABLE parked (position BIGINT PRIMARY KEY, call UUID, error VARCHAR,"
          + " parked_at VARCHAR NOT NULL, attempts INT NOT NULL)";

  /** Classes of SQL's states in which the data is at fault. */
  private static final Set<String> DATA = Set.of("21", "22", "23");

  private static final int ERROR_CHARS_MAX = 1_024;

  private final Projection projection;
  private final Journal journal;
  private final InstantSource clock;

  /** The calls of which something is parked: most pages are about none of them. */
  private final Set<UUID> calls = new HashSet<>();

  private final AtomicLong count = new AtomicLong();

  EventParking(Projection projection, Journal journal, InstantSource clock) {
    this.projection = projection;
    this.journal = journal;
    this.clock = clock;
  }

  /** Finds what was parked before; also after a rollback, when nothing is sure. */
  void open(Connection view) throws SQLException {
    calls.clear();
    long found = 0;
    try (PreparedStatement select = view.prepareStatement("SELECT call FROM parked");
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        found++;
        @Nullable UUID call = row.getObject(1, UUID.class);
        if (call != null) {
          calls.add(call);
        }
      }
    }
    count.set(found);
  }

  /** How many events are parked. */
  long count() {
    return count.get();
  }

  void project(Connection view, List<Entry> events) throws SQLException {
    List<Entry> free = calls.isEmpty() ? events : withoutWaiting(view, events);
    if (!free.isEmpty() && attempt(view, free).isPresent()) {
      for (Entry event : free) {
        projectOne(view, event);
      }
    }
  }

  private List<Entry> withoutWaiting(Connection view, List<Entry> events) throws SQLException {
    List<Entry> free = new ArrayList<>();
    for (Entry event : events) {
      if (waits(event)) {
        park(view, event, null);
      } else {
        free.add(event);
      }
    }
    return free;
  }

  private boolean waits(Entry event) {
    return CallTag.of(event).filter(calls::contains).isPresent();
  }

  private void projectOne(Connection view, Entry event) throws SQLException {
    if (waits(event)) {
      park(view, event, null);
      return;
    }
    Optional<String> error = attempt(view, List.of(event));
    if (error.isPresent()) {
      park(view, event, error.get());
    }
  }

  /** Empty when the events are in the view, else why none of them is. */
  private Optional<String> attempt(Connection view, List<Entry> events) throws SQLException {
    Savepoint before = view.setSavepoint();
    try {
      projection.project(view, events);
      view.releaseSavepoint(before);
      return Optional.empty();
    } catch (JournalUnreadable | ViewFailed e) {
      throw e;
    } catch (RuntimeException e) {
      view.rollback(before);
      return Optional.of(words(e));
    } catch (SQLException e) {
      if (!isOfData(e)) {
        throw e;
      }
      view.rollback(before);
      return Optional.of(words(e));
    }
  }

  private static boolean isOfData(SQLException e) {
    String state = e.getSQLState();
    return state != null && state.length() > 2 && DATA.contains(state.substring(0, 2));
  }

  private static String words(Exception e) {
    String words =
        "%s: %s".formatted(e.getClass().getSimpleName(), Objects.toString(e.getMessage(), ""));
    return words.length() <= ERROR_CHARS_MAX ? words : TextPrefix.of(words, ERROR_CHARS_MAX) + "…";
  }

  private void park(Connection view, Entry event, @Nullable String error) throws SQLException {
    Optional<UUID> call = CallTag.of(event);
    try (PreparedStatement insert =
        view.prepareStatement("INSERT INTO parked VALUES (?, ?, ?, ?, ?)")) {
      insert.setLong(1, event.position());
      insert.setObject(2, call.orElse(null));
      insert.setString(3, error);
      insert.setString(4, clock.instant().toString());
      insert.setInt(5, error == null ? 0 : 1);
      insert.executeUpdate();
    }
    call.ifPresent(calls::add);
    count.incrementAndGet();
  }

  /** Tries an event again, and after it what waited for it. */
  Attempt retry(Connection view, long position) throws SQLException {
    Optional<Row> row = row(view, position);
    if (row.isEmpty()) {
      return new Attempt.None();
    }
    Optional<Long> earlier = first(view, row.get().call).filter(it -> it < position);
    if (earlier.isPresent()) {
      return new Attempt.Waits(earlier.get());
    }
    Optional<String> error = again(view, row.get());
    if (error.isPresent()) {
      return new Attempt.Failed(error.get());
    }
    goOn(view, row.get().call);
    return new Attempt.Done();
  }

  /** Leaves an event out of the view for good; what waited for it is tried. False for none. */
  boolean discard(Connection view, long position) throws SQLException {
    Optional<Row> row = row(view, position);
    if (row.isPresent()) {
      delete(view, position);
      goOn(view, row.get().call);
    }
    return row.isPresent();
  }

  private void goOn(Connection view, @Nullable UUID call) throws SQLException {
    Optional<Long> next = call == null ? Optional.empty() : first(view, call);
    while (next.isPresent() && again(view, row(view, next.get()).orElseThrow()).isEmpty()) {
      next = first(view, call);
    }
  }

  private Optional<String> again(Connection view, Row row) throws SQLException {
    Optional<String> error = attempt(view, journal.read(row.position - 1, 1));
    if (error.isEmpty()) {
      delete(view, row.position);
    } else {
      note(view, row.position, error.get());
    }
    return error;
  }

  private static void note(Connection view, long position, String error) throws SQLException {
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
      long position, @Nullable UUID call, @Nullable String error, Instant parkedAt, int attempts) {}

  private static Optional<Row> row(Connection view, long position) throws SQLException {
    return rows(view, "position = ?", position, 1).stream().findFirst();
  }

  private static Optional<Long> first(Connection view, @Nullable UUID call) throws SQLException {
    return call == null
        ? Optional.empty()
        : rows(view, "call = ?", call, 1).stream().map(Row::position).findFirst();
  }

  private static List<Row> rows(Connection view, String which, Object value, int limit)
      throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT position, call, error, parked_at, attempts FROM parked WHERE "
                + which
                + " ORDER BY position LIMIT ?")) {
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

  /** What is parked in a view, oldest first. */
  static List<ParkedEvent> list(Connection view, Journal journal, int limit) throws SQLException {
    return rows(view, "position > ?", 0L, limit).stream().map(row -> parked(row, journal)).toList();
  }

  private static ParkedEvent parked(Row row, Journal journal) {
    Entry event = journal.read(row.position - 1, 1).getFirst();
    return new ParkedEvent(
        row.position,
        row.call,
        event.name(),
        Instant.parse(event.at()),
        row.error,
        row.parkedAt,
        row.attempts);
  }
}
