package gatebook.query.denials;

import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.call.ErrorResponse;
import gatebook.events.journal.Entry;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.PageRows;
import gatebook.query.projection.RowBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of the denials on one page. */
final class DenialRows implements PageRows {
  private final Connection view;
  private final Map<UUID, Row> denials = new LinkedHashMap<>();

  DenialRows(Connection view) {
    this.view = view;
  }

  void add(GateDenied denied, Entry entry) {
    denials.put(denied.callId(), new Row(entry, denied));
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
  public void write() throws SQLException {
    insert();
    rememberPending();
  }

  void addErrorResponse(ErrorTranslated translated, long position) throws SQLException {
    Row row = denials.get(translated.callId());
    if (row != null) {
      row.errorResponse = translated.told();
      row.changed = position;
    } else if (translated.fault().gate().isPresent()) {
      updateStored(translated, position);
    }
  }

  private void updateStored(ErrorTranslated translated, long position) throws SQLException {
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

  private void insert() throws SQLException {
    RowBatch.write(
        view,
        "INSERT INTO denials (position, changed, call, at, gate, tool, principal, reason, dialect,"
            + " code) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        denials.values(),
        DenialRows::set);
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

  private void rememberPending() throws SQLException {
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
