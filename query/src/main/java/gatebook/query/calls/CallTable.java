package gatebook.query.calls;

import gatebook.events.CallEvent;
import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.events.journal.storage.Entry;
import gatebook.query.call.CallEvents;
import gatebook.query.call.CallStatus;
import gatebook.query.call.CallSummary;
import gatebook.query.call.CallView;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.RowBatch;
import gatebook.query.projection.ViewTable;
import gatebook.query.terms.TermBatch;
import gatebook.query.terms.TermSearch;
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

/** The table of calls, one row each. Each call of a page is read and written once. */
final class CallTable implements AutoCloseable {
  static final ViewTable TABLE =
      new ViewTable(
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
          List.of());

  /** The columns that {@link #call} reads. */
  static final String COLUMNS =
      "call, at, correlation, dialect, method, target, principal, status, gate, code, fault,"
          + " millis";

  private final Connection view;
  private final Map<UUID, Row> rows = new LinkedHashMap<>();
  private @Nullable PreparedStatement selectOpen;
  private @Nullable PreparedStatement select;
  private @Nullable TermSearch search;

  /** The row of a call, as stored and as changed by the page's events. */
  static final class Row {
    private final UUID call;
    private final long position;
    private final boolean stored;
    private final boolean wasOpen;
    private final CallSummary callSummary;
    private final String seenAt;
    private long changed;
    private @Nullable String node;
    private @Nullable CallView view;
    private @Nullable CallView inBlocks;
    private String atText = "";
    private long at;

    private Row(UUID call, long position, boolean stored, CallSummary callSummary, String seenAt) {
      this.call = call;
      this.position = position;
      this.stored = stored;
      this.wasOpen = stored && callSummary.isOpen();
      this.callSummary = callSummary;
      this.seenAt = seenAt;
      this.inBlocks = stored ? view() : null;
    }

    /** Adds to the blocks what they do not know of the call. */
    void addTo(CallBlocks blocks) {
      CallView now = view();
      blocks.add(position, inBlocks, now, receivedAt(now), callSummary.wantsAnswer());
      inBlocks = now;
    }

    /** As {@link #addTo}, after an event that changed the status only. */
    void addStatusTo(CallBlocks blocks) {
      boolean staysOpen =
          inBlocks != null
              && CallProperty.isOpen(inBlocks.status())
              && CallProperty.isOpen(callSummary.status());
      if (!staysOpen) {
        addTo(blocks);
      }
    }

    /** In nanoseconds; the time of the first event when the receipt is not known. */
    private long receivedAt(CallView callView) {
      String text = callView.receivedAt() == null ? seenAt : callView.receivedAt();
      if (!text.equals(atText)) {
        atText = text;
        at = EpochNanos.of(text);
      }
      return at;
    }

    /** Adds the key of the call's own id when the call begins. */
    void addTo(TermBatch keys) {
      if (!stored) {
        keys.add(CallKeys.term(call), position);
      }
    }

    void apply(CallEvent event, Entry entry) {
      callSummary.apply(event, entry.at());
      touch(entry);
    }

    void admit(Entry entry) {
      callSummary.admit();
      touch(entry);
    }

    void forward(Entry entry) {
      callSummary.forward();
      touch(entry);
    }

    private void touch(Entry entry) {
      view = null;
      changed = entry.position();
      if (!stored || entry.name().equals(CallEvents.FORWARDED)) {
        node = entry.node();
      }
    }

    UUID call() {
      return call;
    }

    /** The call after the events so far, without these. */
    CallView view() {
      CallView known = view;
      if (known == null) {
        known = callSummary.toView(List.of());
        view = known;
      }
      return known;
    }

    long position() {
      return position;
    }

    boolean wasOpen() {
      return wasOpen;
    }

    boolean isOpen() {
      return callSummary.isOpen();
    }

    /** The process that has the call; absent when that has not changed. */
    @Nullable String node() {
      return node;
    }
  }

  CallTable(Connection view) {
    this.view = view;
  }

  /**
   * The row of an event's call; absent when its beginning is not known, because it was dropped, and
   * with it all of the call but what still decides.
   */
  @Nullable Row find(UUID call, Entry entry) throws SQLException {
    Row row = rows.get(call);
    if (row == null) {
      row = CallEvents.BEGINS.contains(entry.name()) ? begun(call, entry) : stored(call);
      if (row != null) {
        rows.put(call, row);
      }
    }
    return row;
  }

  Collection<Row> touched() {
    return rows.values();
  }

  private static Row begun(UUID call, Entry entry) {
    return new Row(call, entry.position(), false, new CallSummary(call), entry.at());
  }

  /** Nearly every call that gets an event on a later page is open; others are searched for. */
  private @Nullable Row stored(UUID call) throws SQLException {
    PreparedStatement selecting = selectOpen;
    if (selecting == null) {
      selecting =
          view.prepareStatement(
              "SELECT c.* FROM open_calls o JOIN calls c ON c.position = o.position"
                  + " WHERE o.call = ? AND c.call = o.call");
      selectOpen = selecting;
    }
    selecting.setObject(1, call);
    Row open = row(call, selecting);
    return open == null ? ended(call) : open;
  }

  private @Nullable Row ended(UUID call) throws SQLException {
    TermSearch searching = search;
    PreparedStatement selecting = select;
    if (searching == null || selecting == null) {
      searching = new TermSearch(view, CallKeys.INDEX);
      search = searching;
      selecting = view.prepareStatement("SELECT * FROM calls WHERE position = ? AND call = ?");
      select = selecting;
    }
    List<Long> position = searching.places(CallKeys.term(call), Long.MAX_VALUE, 1);
    if (position.isEmpty()) {
      return null;
    }
    selecting.setLong(1, position.getFirst());
    selecting.setObject(2, call);
    return row(call, selecting);
  }

  private static @Nullable Row row(UUID call, PreparedStatement selecting) throws SQLException {
    try (ResultSet row = selecting.executeQuery()) {
      return row.next()
          ? new Row(
              call,
              row.getLong("position"),
              true,
              new CallSummary(call(row), row.getBoolean("wants_answer")),
              at(row.getLong("at")))
          : null;
    }
  }

  /** Reads a call from its row, without its events. */
  static CallView call(ResultSet row) throws SQLException {
    return new CallView(
        row.getObject("call", UUID.class),
        row.getString("correlation"),
        byWord(Dialect.values(), row.getString("dialect"), Dialect::word),
        row.getString("method"),
        row.getString("target"),
        row.getString("principal"),
        Objects.requireNonNull(
            byWord(CallStatus.values(), row.getString("status"), CallStatus::word)),
        byWord(Gate.values(), row.getString("gate"), Gate::word),
        row.getObject("code", Integer.class),
        row.getString("fault"),
        at(row.getLong("at")),
        row.getObject("millis", Long.class),
        List.of());
  }

  private static String at(long nanos) {
    return EpochNanos.toInstant(nanos).toString();
  }

  private static <W> @Nullable W byWord(W[] all, @Nullable String word, Function<W, String> words) {
    for (W candidate : all) {
      if (words.apply(candidate).equals(word)) {
        return candidate;
      }
    }
    return null;
  }

  void write() throws SQLException {
    RowBatch.write(
        view,
        "INSERT INTO calls (at, correlation, dialect, method, target, principal, status, gate,"
            + " code, fault, millis, wants_answer, changed, call, position)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows(false),
        CallTable::set);
    RowBatch.write(
        view,
        "UPDATE calls SET at = ?, correlation = ?, dialect = ?, method = ?, target = ?,"
            + " principal = ?, status = ?, gate = ?, code = ?, fault = ?, millis = ?,"
            + " wants_answer = ?, changed = ? WHERE call = ? AND position = ?",
        rows(true),
        CallTable::set);
  }

  private List<Row> rows(boolean stored) {
    return rows.values().stream().filter(row -> row.stored == stored).toList();
  }

  private static void set(PreparedStatement statement, Row row) throws SQLException {
    CallView callView = row.view();
    int at = 0;
    statement.setLong(++at, row.receivedAt(callView));
    statement.setString(++at, callView.correlationId());
    statement.setString(++at, callView.dialect() == null ? null : callView.dialect().word());
    statement.setString(++at, callView.method());
    statement.setString(++at, callView.target());
    statement.setString(++at, callView.principal());
    statement.setString(++at, callView.status().word());
    statement.setString(++at, callView.gate() == null ? null : callView.gate().word());
    statement.setObject(++at, callView.code());
    statement.setString(++at, callView.fault());
    statement.setObject(++at, callView.durationMillis());
    statement.setBoolean(++at, row.callSummary.wantsAnswer());
    statement.setLong(++at, row.changed);
    statement.setObject(++at, row.call);
    statement.setLong(++at, row.position);
  }

  @Override
  public void close() throws SQLException {
    try (PreparedStatement _ = selectOpen;
        PreparedStatement _ = select;
        TermSearch _ = search) {
      // closes all that were used, also when one fails
    }
  }
}
