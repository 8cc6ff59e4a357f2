package gatebook.query.approvals;

import gatebook.events.Named;
import gatebook.events.journal.Entry;
import gatebook.query.approvals.ApprovalQuestion.ApprovalStatus;
import gatebook.query.calls.CallEvents;
import gatebook.query.projection.CallTag;
import gatebook.query.projection.Projection;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Projects the calls for which approvals were requested, and their status; everything else stays in
 * the journal.
 */
final class ApprovalsProjection implements Projection {
  private static final String REQUESTED = Named.NAMESPACE + ".ApprovalRequested";

  private static final String MERGE =
      "MERGE INTO askings (standing, changed, call, position) KEY (call) VALUES (?, ?, ?, ?)";
  private static final String UPDATE =
      "UPDATE askings SET standing = ?, changed = ? WHERE call = ?";
  private static final String WAITING = "standing = 'waiting' ORDER BY call";

  private static final Map<String, ApprovalStatus> DECISIONS =
      Map.of(
          Named.NAMESPACE + ".ApprovalGranted", ApprovalStatus.GRANTED,
          Named.NAMESPACE + ".ApprovalRejected", ApprovalStatus.REJECTED,
          Named.NAMESPACE + ".ApprovalTimedOut", ApprovalStatus.TIMED_OUT);

  @Override
  public String name() {
    return "approvals";
  }

  @Override
  public int version() {
    return 2;
  }

  @Override
  public List<ViewTable> tables() {
    return List.of(
        new ViewTable(
            "askings", "call", List.of("standing VARCHAR NOT NULL"), List.of("standing, call")));
  }

  /** Most pages contain no approval event, only ends of calls without one. They cost one select. */
  @Override
  public void project(Connection view, List<Entry> events) throws SQLException {
    List<Entry> relevant = events.stream().filter(ApprovalsProjection::isRelevant).toList();
    if (relevant.isEmpty()) {
      return;
    }
    Set<UUID> waiting = new HashSet<>(find(view, WAITING, Integer.MAX_VALUE));
    for (Entry entry : relevant) {
      if (waiting.isEmpty() && CallEvents.ENDS.contains(entry.name())) {
        continue; // no approval was requested for the call
      }
      Optional<UUID> call = CallTag.of(entry);
      if (call.isPresent()) {
        update(view, call.get(), entry, waiting);
      }
    }
  }

  private static boolean isRelevant(Entry entry) {
    return entry.name().equals(REQUESTED)
        || DECISIONS.containsKey(entry.name())
        || CallEvents.ENDS.contains(entry.name());
  }

  private static void update(Connection view, UUID call, Entry entry, Set<UUID> waiting)
      throws SQLException {
    ApprovalStatus decided = DECISIONS.get(entry.name());
    if (entry.name().equals(REQUESTED)) {
      insert(view, call, entry.position());
      waiting.add(call);
    } else if (decided != null) {
      update(view, call, decided, entry.position());
      waiting.remove(call);
    } else if (waiting.remove(call)) {
      update(view, call, ApprovalStatus.CALL_ENDED, entry.position());
    }
  }

  private static void insert(Connection view, UUID call, long position) throws SQLException {
    try (PreparedStatement statement = view.prepareStatement(MERGE)) {
      set(statement, ApprovalStatus.WAITING, position, call);
      statement.setLong(4, position);
      statement.executeUpdate();
    }
  }

  private static void update(Connection view, UUID call, ApprovalStatus status, long position)
      throws SQLException {
    try (PreparedStatement statement = view.prepareStatement(UPDATE)) {
      set(statement, status, position, call);
      statement.executeUpdate();
    }
  }

  private static void set(
      PreparedStatement statement, ApprovalStatus status, long position, UUID call)
      throws SQLException {
    statement.setString(1, status.word());
    statement.setLong(2, position);
    statement.setObject(3, call);
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
