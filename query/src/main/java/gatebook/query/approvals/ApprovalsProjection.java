package gatebook.query.approvals;

import gatebook.events.Named;
import gatebook.events.journal.Entry;
import gatebook.query.approvals.ApprovalQuestion.Standing;
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

/** Which calls a person was asked about, and where that stands; the rest stays in the journal. */
final class ApprovalsProjection implements Projection {
  private static final String ASKED = Named.NAMESPACE + ".ApprovalRequested";

  private static final String ASK =
      "MERGE INTO askings (standing, changed, call, position) KEY (call) VALUES (?, ?, ?, ?)";
  private static final String CHANGE =
      "UPDATE askings SET standing = ?, changed = ? WHERE call = ?";
  private static final String WAITING = "standing = 'waiting' ORDER BY call";

  private static final Map<String, Standing> ANSWERS =
      Map.of(
          Named.NAMESPACE + ".ApprovalGranted", Standing.GRANTED,
          Named.NAMESPACE + ".ApprovalRejected", Standing.REJECTED,
          Named.NAMESPACE + ".ApprovalTimedOut", Standing.TIMED_OUT);

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

  /** Most pages ask nobody and end calls nobody was asked about: those cost one select. */
  @Override
  public void project(Connection view, List<Entry> events) throws SQLException {
    List<Entry> concerned = events.stream().filter(ApprovalsProjection::concerns).toList();
    if (concerned.isEmpty()) {
      return;
    }
    Set<UUID> waiting = new HashSet<>(find(view, WAITING, Integer.MAX_VALUE));
    for (Entry entry : concerned) {
      if (waiting.isEmpty() && CallEvents.ENDS.contains(entry.name())) {
        continue; // nobody was asked about it
      }
      Optional<UUID> call = CallTag.of(entry);
      if (call.isPresent()) {
        change(view, call.get(), entry, waiting);
      }
    }
  }

  private static boolean concerns(Entry entry) {
    return entry.name().equals(ASKED)
        || ANSWERS.containsKey(entry.name())
        || CallEvents.ENDS.contains(entry.name());
  }

  private static void change(Connection view, UUID call, Entry entry, Set<UUID> waiting)
      throws SQLException {
    Standing answer = ANSWERS.get(entry.name());
    if (entry.name().equals(ASKED)) {
      ask(view, call, entry.position());
      waiting.add(call);
    } else if (answer != null) {
      change(view, call, answer, entry.position());
      waiting.remove(call);
    } else if (waiting.remove(call)) {
      change(view, call, Standing.CALL_ENDED, entry.position());
    }
  }

  private static void ask(Connection view, UUID call, long position) throws SQLException {
    try (PreparedStatement statement = view.prepareStatement(ASK)) {
      set(statement, Standing.WAITING, position, call);
      statement.setLong(4, position);
      statement.executeUpdate();
    }
  }

  private static void change(Connection view, UUID call, Standing standing, long position)
      throws SQLException {
    try (PreparedStatement statement = view.prepareStatement(CHANGE)) {
      set(statement, standing, position, call);
      statement.executeUpdate();
    }
  }

  private static void set(PreparedStatement statement, Standing standing, long position, UUID call)
      throws SQLException {
    statement.setString(1, standing.word());
    statement.setLong(2, position);
    statement.setObject(3, call);
  }

  /** The calls on whose behalf somebody is asked, oldest first. */
  static List<UUID> waiting(Connection view, int limit) throws SQLException {
    return find(view, WAITING, limit);
  }

  /** The calls on whose behalf nobody is asked any longer, newest first. */
  static List<UUID> closed(Connection view, int limit) throws SQLException {
    return find(view, "standing <> 'waiting' ORDER BY call DESC", limit);
  }

  private static List<UUID> find(Connection view, String which, int limit) throws SQLException {
    List<UUID> calls = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement("SELECT call FROM askings WHERE " + which + " LIMIT ?")) {
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
