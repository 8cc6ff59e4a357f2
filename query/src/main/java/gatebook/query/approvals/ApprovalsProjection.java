package gatebook.query.approvals;

import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.journal.storage.Entry;
import gatebook.query.approvals.ApprovalQuestion.ApprovalStatus;
import gatebook.query.call.CallEvents;
import gatebook.query.projection.Projection;
import gatebook.query.projection.ProjectionHandler;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Projects the calls for which approvals were requested, and their status; everything else stays in
 * the journal.
 */
final class ApprovalsProjection implements Projection {
  private static final String WAITING = "standing = 'waiting' ORDER BY call";

  @Override
  public String name() {
    return "approvals";
  }

  @Override
  public int version() {
    return 3;
  }

  @Override
  public List<ViewTable> tables() {
    return List.of(
        new ViewTable(
            "askings",
            "call",
            List.of("standing VARCHAR NOT NULL"),
            List.of("standing, call", "position")));
  }

  @Override
  public ApprovalRows rows(Connection view) throws SQLException {
    return new ApprovalRows(view);
  }

  @ProjectionHandler
  void on(ApprovalRequested event, Entry entry, ApprovalRows rows) throws SQLException {
    rows.add(event.callId(), entry.position());
  }

  @ProjectionHandler
  void on(ApprovalGranted event, Entry entry, ApprovalRows rows) throws SQLException {
    rows.decide(event.callId(), ApprovalStatus.GRANTED, entry.position());
  }

  @ProjectionHandler
  void on(ApprovalRejected event, Entry entry, ApprovalRows rows) throws SQLException {
    rows.decide(event.callId(), ApprovalStatus.REJECTED, entry.position());
  }

  @ProjectionHandler
  void on(ApprovalTimedOut event, Entry entry, ApprovalRows rows) throws SQLException {
    rows.decide(event.callId(), ApprovalStatus.TIMED_OUT, entry.position());
  }

  @ProjectionHandler(eventName = CallEvents.ANSWERED)
  void onAnswered(Entry entry, ApprovalRows rows) throws SQLException {
    rows.end(entry);
  }

  @ProjectionHandler(eventName = CallEvents.TRANSLATED)
  void onError(Entry entry, ApprovalRows rows) throws SQLException {
    rows.end(entry);
  }

  @ProjectionHandler(eventName = CallEvents.ABANDONED)
  void onAbandoned(Entry entry, ApprovalRows rows) throws SQLException {
    rows.end(entry);
  }

  @ProjectionHandler(eventName = CallEvents.ORPHANED)
  void onOrphaned(Entry entry, ApprovalRows rows) throws SQLException {
    rows.end(entry);
  }

  /** The calls that wait for a decision, oldest first. */
  static List<UUID> waiting(Connection view, int limit) throws SQLException {
    return find(view, WAITING, limit);
  }

  /** The calls that no longer wait for a decision, newest first. */
  static List<UUID> closed(Connection view, int limit) throws SQLException {
    return find(view, "standing <> 'waiting' ORDER BY call DESC", limit);
  }

  private static List<UUID> find(Connection view, String condition, int limit) throws SQLException {
    List<UUID> calls = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement("SELECT call FROM askings WHERE " + condition + " LIMIT ?")) {
      select.setInt(1, limit);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          calls.add(row.getObject(1, UUID.class));
        }
      }
    }
    return calls;
  }
}
