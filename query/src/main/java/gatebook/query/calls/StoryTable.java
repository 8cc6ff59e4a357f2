package gatebook.query.calls;

import gatebook.events.CallEvent;
import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.events.journal.Entry;
import gatebook.query.projection.Nanos;
import gatebook.query.projection.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What came of each call, one row each; on a page, each call is read and written once. */
final class StoryTable implements AutoCloseable {
  static final Table TABLE =
      new Table(
          "calls",
          "position",
          List.of(
              "at BIGINT NOT NULL",
              "correlation VARCHAR",
              "dialect VARCHAR",
              "method VARCHAR",
              "target VARCHAR",
              "principal VARCHAR",
              "status VARCHAR NOT NULL",
              "gate VARCHAR",
              "code INT",
              "fault VARCHAR",
              "millis BIGINT",
              "wants_answer BOOLEAN NOT NULL"),
          List.of("call"));

  /** What {@link #call} reads. */
  static final String COLUMNS =
      "call, at, correlation, dialect, method, target, principal, status, gate, code, fault,"
          + " millis";

  private final Connection view;
  private final Map<UUID, Row> rows = new LinkedHashMap<>();
  private @Nullable PreparedStatement select;

  /** A call's row, as it was and as it becomes. */
  static final class Row {
    private final UUID call;
    private final long position;
    private final boolean stored;
    private final boolean wasOpen;
    private final Story story;
    private final String seenAt;
    private long changed;
    private @Nullable String node;

    private Row(UUID call, long position, boolean stored, Story story, String seenAt) {
      this.call = call;
      this.position = position;
      this.stored = stored;
      this.wasOpen = stored && story.isOpen();
      this.story = story;
      this.seenAt = seenAt;
    }

    void tell(CallEvent event, Entry entry) {
      story.tell(event, entry.at());
      told(entry);
    }

    /** False when the event has to be read. */
    boolean tellByName(Entry entry) {
      boolean wasEnough = story.tellByName(entry.name());
      if (wasEnough) {
        told(entry);
      }
      return wasEnough;
    }

    private void told(Entry entry) {
      changed = entry.position();
      if (!stored || entry.name().equals(CallEvents.FORWARDED)) {
        node = entry.node();
      }
    }

    UUID call() {
      return call;
    }

    long position() {
      return position;
    }

    boolean wasOpen() {
      return wasOpen;
    }

    boolean isOpen() {
      return story.isOpen();
    }

    /** Which process has it; absent when that is as it was. */
    @Nullable String node() {
      return node;
    }
  }

  StoryTable(Connection view) {
    this.view = view;
  }

  Row of(UUID call, Entry entry) throws SQLException {
    Row known = rows.get(call);
    if (known == null) {
      known = loaded(call, entry);
      rows.put(call, known);
    }
    return known;
  }

  Collection<Row> touched() {
    return rows.values();
  }

  private Row loaded(UUID call, Entry entry) throws SQLException {
    if (CallEvents.BEGINS.contains(entry.name())) {
      return begun(call, entry);
    }
    PreparedStatement statement = selecting();
    statement.setObject(1, call);
    try (ResultSet row = statement.executeQuery()) {
      return row.next()
          ? new Row(
              call,
              row.getLong("position"),
              true,
              new Story(call(row), row.getBoolean("wants_answer")),
              at(row.getLong("at")))
          : begun(call, entry);
    }
  }

  private static Row begun(UUID call, Entry entry) {
    return new Row(call, entry.position(), false, new Story(call), entry.at());
  }

  private PreparedStatement selecting() throws SQLException {
    PreparedStatement selecting = select;
    if (selecting == null) {
      selecting = view.prepareStatement("SELECT * FROM calls WHERE call = ?");
      select = selecting;
    }
    return selecting;
  }

  /** A call as its row tells it, without its events. */
  static Call call(ResultSet row) throws SQLException {
    return new Call(
        row.getObject("call", UUID.class),
        row.getString("correlation"),
        word(Dialect.values(), row.getString("dialect"), Dialect::word),
        row.getString("method"),
        row.getString("target"),
        row.getString("principal"),
        Objects.requireNonNull(word(Status.values(), row.getString("status"), Status::word)),
        word(Gate.values(), row.getString("gate"), Gate::word),
        row.getObject("code", Integer.class),
        row.getString("fault"),
        at(row.getLong("at")),
        row.getObject("millis", Long.class),
        List.of());
  }

  private static String at(long nanos) {
    return Nanos.at(nanos).toString();
  }

  private static <W> @Nullable W word(W[] all, @Nullable String word, Function<W, String> words) {
    for (W candidate : all) {
      if (words.apply(candidate).equals(word)) {
        return candidate;
      }
    }
    return null;
  }

  void write() throws SQLException {
    write(
        "INSERT INTO calls (at, correlation, dialect, method, target, principal, status, gate,"
            + " code, fault, millis, wants_answer, changed, call, position)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        false);
    write(
        "UPDATE calls SET at = ?, correlation = ?, dialect = ?, method = ?, target = ?,"
            + " principal = ?, status = ?, gate = ?, code = ?, fault = ?, millis = ?,"
            + " wants_answer = ?, changed = ? WHERE call = ? AND position = ?",
        true);
  }

  private void write(String sql, boolean stored) throws SQLException {
    if (rows.values().stream().noneMatch(row -> row.stored == stored)) {
      return;
    }
    try (PreparedStatement statement = view.prepareStatement(sql)) {
      for (Row row : rows.values()) {
        if (row.stored == stored) {
          set(statement, row);
          statement.addBatch();
        }
      }
      statement.executeBatch();
    }
  }

  private static void set(PreparedStatement statement, Row row) throws SQLException {
    Call call = row.story.told(List.of());
    int at = 0;
    statement.setLong(++at, receivedAt(call, row));
    statement.setString(++at, call.correlationId());
    statement.setString(++at, call.dialect() == null ? null : call.dialect().word());
    statement.setString(++at, call.method());
    statement.setString(++at, call.target());
    statement.setString(++at, call.principal());
    statement.setString(++at, call.status().word());
    statement.setString(++at, call.gate() == null ? null : call.gate().word());
    statement.setObject(++at, call.code());
    statement.setString(++at, call.fault());
    statement.setObject(++at, call.durationMillis());
    statement.setBoolean(++at, row.story.wantsAnswer());
    statement.setLong(++at, row.changed);
    statement.setObject(++at, row.call);
    statement.setLong(++at, row.position);
  }

  private static long receivedAt(Call call, Row row) {
    return Nanos.of(call.receivedAt() == null ? row.seenAt : call.receivedAt());
  }

  @Override
  public void close() throws SQLException {
    if (select != null) {
      select.close();
    }
  }
}
