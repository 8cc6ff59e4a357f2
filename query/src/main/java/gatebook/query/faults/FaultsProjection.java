package gatebook.query.faults;

import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.MessageRefused;
import gatebook.events.MessagesRefused;
import gatebook.events.Named;
import gatebook.events.call.Gate;
import gatebook.events.journal.Entry;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.Projection;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Projects every error response to a row with its fault key. */
final class FaultsProjection implements Projection {
  private static final Set<String> ERRORS =
      Set.of(
          Named.NAMESPACE + ".ErrorTranslated",
          Named.NAMESPACE + ".MessageRefused",
          Named.NAMESPACE + ".MessagesRefused");

  /** The maximum number of fault keys in one event; there are fewer. */
  private static final long KEYS_MAX = 1_000;

  private final EventReader events;

  FaultsProjection(EventReader events) {
    this.events = events;
  }

  @Override
  public String name() {
    return "faults";
  }

  @Override
  public int version() {
    return 3;
  }

  @Override
  public List<ViewTable> tables() {
    return List.of(
        new ViewTable(
            "faults",
            "place",
            List.of(
                "place BIGINT NOT NULL",
                "at BIGINT NOT NULL",
                "fingerprint BIGINT NOT NULL",
                "dialect VARCHAR NOT NULL",
                "code VARCHAR",
                "fault VARCHAR NOT NULL",
                "gate VARCHAR",
                "target VARCHAR",
                "times BIGINT NOT NULL"),
            List.of("at")));
  }

  @Override
  public void project(Connection view, List<Entry> page) throws SQLException {
    List<Entry> errors = page.stream().filter(entry -> ERRORS.contains(entry.name())).toList();
    if (errors.isEmpty()) {
      return;
    }
    try (FaultInserter faultInserter = new FaultInserter(view)) {
      for (Entry entry : errors) {
        faultInserter.add(events.read(entry), entry);
      }
      faultInserter.insert.executeBatch();
    }
  }

  /** Inserts rows into the table as a batch. */
  private static final class FaultInserter implements AutoCloseable {
    private final PreparedStatement insert;

    /** Cached, because there are few different keys. */
    private final Map<FaultKey, Long> fingerprints = new HashMap<>();

    FaultInserter(Connection view) throws SQLException {
      insert =
          view.prepareStatement(
              "INSERT INTO faults (call, position, changed, place, at, fingerprint, dialect, code,"
                  + " fault, gate, target, times) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    }

    void add(Event event, Entry entry) throws SQLException {
      switch (event) {
        case ErrorTranslated error when error.firstToldTo() != null -> {}
        case ErrorTranslated error ->
            add(
                error.callId(),
                entry,
                0,
                new FaultKey(
                    error.told().dialect(),
                    FaultKey.code(error.told().dialect(), error.told().code()),
                    error.fault().kind(),
                    error.fault().gate().map(Gate::word).orElse(null),
                    error.target()),
                1);
        case MessageRefused error ->
            add(
                error.callId(),
                entry,
                0,
                new FaultKey(
                    error.told().dialect(),
                    FaultKey.code(error.told().dialect(), error.told().code()),
                    error.fault().kind(),
                    null,
                    null),
                1);
        case MessagesRefused flood -> {
          for (int i = 0; i < flood.counts().size(); i++) {
            MessagesRefused.Count count = flood.counts().get(i);
            add(
                null,
                entry,
                i,
                new FaultKey(count.dialect(), null, count.fault(), null, null),
                count.count());
          }
        }
        default -> throw new IllegalStateException("no error: " + entry.name());
      }
    }

    private void add(@Nullable UUID call, Entry entry, int number, FaultKey faultKey, long times)
        throws SQLException {
      int at = 0;
      insert.setObject(++at, call);
      insert.setLong(++at, entry.position());
      insert.setLong(++at, entry.position());
      insert.setLong(++at, entry.position() * KEYS_MAX + number);
      insert.setLong(++at, EpochNanos.of(entry.at()));
      insert.setLong(++at, fingerprints.computeIfAbsent(faultKey, FaultKey::fingerprint));
      insert.setString(++at, faultKey.dialect().word());
      insert.setString(++at, faultKey.code());
      insert.setString(++at, faultKey.fault());
      insert.setString(++at, faultKey.gate());
      insert.setString(++at, faultKey.target());
      insert.setLong(++at, times);
      insert.addBatch();
    }

    @Override
    public void close() throws SQLException {
      insert.close();
    }
  }
}
