package gatebook.query.denials;

import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.Named;
import gatebook.events.call.ErrorResponse;
import gatebook.events.journal.Entry;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.Projection;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Projects every denial to a row of its own, so that denials of any time are counted exactly. The
 * error response follows in the next event, nearly always on the same page.
 */
final class DenialsProjection implements Projection {
  private static final String DENIED = Named.NAMESPACE + ".GateDenied";
  private static final String TRANSLATED = Named.NAMESPACE + ".ErrorTranslated";

  private final EventReader events;

  DenialsProjection(EventReader events) {
    this.events = events;
  }

  @Override
  public String name() {
    return "denials";
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public List<ViewTable> tables() {
    return List.of(
        new ViewTable(
            "denials",
            "position",
            List.of(
                "at BIGINT NOT NULL",
                "gate VARCHAR NOT NULL",
                "tool VARCHAR",
                "principal VARCHAR NOT NULL",
                "reason VARCHAR NOT NULL",
                "dialect VARCHAR",
                "code INT"),
            List.of("at")),
        new ViewTable("untold", "call", List.of("denial BIGINT NOT NULL"), List.of()));
  }

  /** A denial and its error response, as far as that is known. */
  private static final class Row {
    private final Entry entry;
    private final GateDenied denied;
    private long changed;
    private @Nullable ErrorResponse errorResponse;

    Row(Entry entry, GateDenied denied) {
      this.entry = entry;
      this.denied = denied;
      this.changed = entry.position();
    }
  }

  @Override
  public void project(Connection view, List<Entry> page) throws SQLException {
    Map<UUID, Row> denials = new LinkedHashMap<>();
    for (Entry entry : page) {
      if (entry.name().equals(DENIED)) {
        GateDenied denied = (GateDenied) events.read(entry);
        denials.put(denied.callId(), new Row(entry, denied));
      } else if (entry.name().equals(TRANSLATED)) {
        addErrorResponse(view, (ErrorTranslated) events.read(entry), entry.position(), denials);
      }
    }
    insert(view, denials);
    rememberPending(view, denials);
  }

  private static void addErrorResponse(
      Connection view, ErrorTranslated translated, long position, Map<UUID, Row> denials)
      throws SQLException {
    Row row = denials.get(translated.callId());
    if (row != null) {
      row.errorResponse = translated.told();
      row.changed = position;
    } else if (translated.fault().gate().isPresent()) {
      updateStored(view, translated, position);
    }
  }

  private static void updateStored(Connection view, ErrorTranslated translated, long position)
      throws SQLException {
    try (PreparedStatement update =
            view.prepareStatement(
                "UPDATE denials SET dialect = ?, code = ?, changed = ?"
                    + " WHERE position = (SELECT denial FROM untold WHERE call = ?)");
        PreparedStatement delete = view.prepareStatement("DELETE FROM untold WHERE call = ?")) {
      update.setString(1, translated.told().dialect().word());
      update.setInt(2, translated.told().code());
      update.setLong(3, position);
      update.setObject(4, translated.callId());
      update.executeUpdate();
      delete.setObject(1, translated.callId());
      delete.executeUpdate();
    }
  }

  private static void insert(Connection view, Map<UUID, Row> denials) throws SQLException {
    if (denials.isEmpty()) {
      return;
    }
    try (PreparedStatement insert =
        view.prepareStatement(
            "INSERT INTO denials (position, changed, call, at, gate, tool, principal, reason,"
                + " dialect, code) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      for (Row row : denials.values()) {
        set(insert, row);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static void set(PreparedStatement insert, Row row) throws SQLException {
    int at = 0;
    insert.setLong(++at, row.entry.position());
    insert.setLong(++at, row.changed);
    insert.setObject(++at, row.denied.callId());
    insert.setLong(++at, EpochNanos.of(row.entry.at()));
    insert.setString(++at, row.denied.gate().word());
    insert.setString(++at, row.denied.target());
    insert.setString(++at, row.denied.principal());
    insert.setString(++at, row.denied.reason().word());
    insert.setString(++at, row.errorResponse == null ? null : row.errorResponse.dialect().word());
    insert.setObject(++at, row.errorResponse == null ? null : row.errorResponse.code());
  }

  private static void rememberPending(Connection view, Map<UUID, Row> denials) throws SQLException {
    for (Row row : denials.values()) {
      if (row.errorResponse == null) {
        try (PreparedStatement merge =
            view.prepareStatement(
                "MERGE INTO untold (call, denial, position, changed) KEY (call)"
                    + " VALUES (?, ?, ?, ?)")) {
          merge.setObject(1, row.denied.callId());
          merge.setLong(2, row.entry.position());
          merge.setLong(3, row.entry.position());
          merge.setLong(4, row.entry.position());
          merge.executeUpdate();
        }
      }
    }
  }
}
