package gatebook.query.projection;

import gatebook.events.journal.storage.Entry;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A projection that records every payload, and fails for chosen ones. */
final class RecordingProjection implements Projection {
  /** Payloads for which the projection fails. */
  final Set<String> unreadable = ConcurrentHashMap.newKeySet();

  /** Payloads for which the database fails. */
  final Set<String> failing = ConcurrentHashMap.newKeySet();

  private final String name;
  private volatile int version = 1;

  RecordingProjection() {
    this("memory");
  }

  RecordingProjection(String name) {
    this.name = name;
  }

  void setVersion(int newVersion) {
    version = newVersion;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public List<ViewTable> tables() {
    return List.of(
        new ViewTable("payloads", "position", List.of("payload VARCHAR(20)"), List.of()));
  }

  @Override
  public Rows rows(Connection view) {
    return new Rows(view);
  }

  /** Written as they come; the page has nothing to gather. */
  record Rows(Connection view) implements PageRows {
    @Override
    public void write() {}
  }

  @ProjectionHandler(eventName = "test.Happened")
  void onHappened(Entry entry, Rows rows) throws SQLException {
    project(rows.view, entry, new String(entry.payload(), StandardCharsets.UTF_8));
  }

  private void project(Connection view, Entry event, String payload) throws SQLException {
    try (PreparedStatement insert =
        view.prepareStatement(
            "INSERT INTO payloads (call, position, changed, payload) VALUES (?, ?, ?, ?)")) {
      insert.setObject(1, GroupTag.CALL.of(event).orElse(null));
      insert.setLong(2, event.position());
      insert.setLong(3, event.position());
      insert.setString(4, payload);
      insert.executeUpdate();
    }
    if (unreadable.contains(payload)) {
      throw new IllegalArgumentException("cannot read " + payload);
    }
    if (failing.contains(payload)) {
      throw new SQLException("the disk is full", "53100");
    }
  }

  /** The payloads in a view, in the journal's order. */
  static List<String> payloads(View view) {
    return view.read(connection -> {
      List<String> payloads = new ArrayList<>();
      try (ResultSet row =
          connection
              .createStatement()
              .executeQuery("SELECT payload FROM payloads ORDER BY position")) {
        while (row.next()) {
          payloads.add(row.getString(1));
        }
      }
      return payloads;
    });
  }
}
