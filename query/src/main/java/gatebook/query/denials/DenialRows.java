package gatebook.query.denials;

import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.call.ErrorResponse;
import gatebook.events.journal.storage.Entry;
import gatebook.query.counts.CountBatch;
import gatebook.query.counts.CountTable;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.PageRows;
import gatebook.query.projection.RowBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of the denials on one page. */
final class DenialRows implements PageRows {
  /** The counts of the denials whose error response is known. */
  static final CountTable COUNTS =
      new CountTable(
          "denial_counts",
          "denials",
          "position",
          "1",
          List.of("gate", "reason", "dialect", "code"));

  private final Connection view;
  private final CountBatch countBatch;
  private final Map<UUID, Row> denials = new LinkedHashMap<>();

  /** Cached, because there are few different keys. */
  private final Map<String, Long> countKeys = new HashMap<>();

  DenialRows(Connection view) {
    this.view = view;
    this.countBatch = new CountBatch(view, COUNTS);
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
    count();
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
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT d.position, d.at, d.gate, d.reason FROM untold u"
                + " JOIN denials d ON d.position = u.denial WHERE u.call = ?")) {
      select.setObject(1, translated.callId());
      try (ResultSet row = select.executeQuery()) {
        if (row.next()) {
          long denial = row.getLong("position");
          long key = countKey(row.getString("gate"), row.getString("reason"), translated.told());
          update(denial, key, translated, position);
          countBatch.add(row.getLong("at"), key, 1, denial);
        }
      }
    }
  }

  private void update(long denial, long key, ErrorTranslated translated, long position)
      throws SQLException {
    try (PreparedStatement update =
            view.prepareStatement(
                "UPDATE denials SET dialect = ?, code = ?, count_key = ?, changed = ?"
                    + " WHERE position = ?");
        PreparedStatement delete = view.prepareStatement("DELETE FROM untold WHERE call = ?")) {
      update.setString(1, translated.told().dialect().word());
      update.setInt(2, translated.told().code());
      update.setLong(3, key);
      update.setLong(4, position);
      update.setLong(5, denial);
      update.executeUpdate();
      delete.setObject(1, translated.callId());
      delete.executeUpdate();
    }
  }

  private long countKey(GateDenied denied, ErrorResponse told) {
    return countKey(denied.gate().word(), denied.reason().word(), told);
  }

  private long countKey(String gate, String reason, ErrorResponse told) {
    return countKeys.computeIfAbsent(
        String.join("\0", gate, reason, told.dialect().word(), Integer.toString(told.code())),
        CountTable::key);
  }

  private void insert() throws SQLException {
    RowBatch.write(
        view,
        "INSERT INTO denials (position, changed, call, at, gate, tool, principal, reason, dialect,"
            + " code, count_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        denials.values(),
        this::set);
  }

  private void set(PreparedStatement insert, Row row) throws SQLException {
    int at = 0;
    insert.setLong(++at, row.entry.position());
    insert.setLong(++at, row.changed);
    insert.setObject(++at, row.denied.callId());
    insert.setLong(++at, EpochNanos.of(row.entry.at()));
    insert.setString(++at, row.denied.gate().word());
    insert.setString(++at, row.denied.target());
    insert.setString(++at, row.denied.principal());
    insert.setString(++at, row.denied.reason().word());
    ErrorResponse told = row.errorResponse;
    if (told == null) {
      insert.setString(++at, null);
      insert.setObject(++at, null);
      insert.setObject(++at, null);
      return;
    }
    insert.setString(++at, told.dialect().word());
    insert.setInt(++at, told.code());
    insert.setLong(++at, countKey(row.denied, told));
  }

  private void count() throws SQLException {
    for (Row row : denials.values()) {
      if (row.errorResponse != null) {
        countBatch.add(
            EpochNanos.of(row.entry.at()),
            countKey(row.denied, row.errorResponse),
            1,
            row.entry.position());
      }
    }
    countBatch.write();
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
