package gatebook.query.approvals;

import gatebook.events.journal.storage.Entry;
import gatebook.query.approvals.ApprovalQuestion.ApprovalStatus;
import gatebook.query.call.CallEvents;
import gatebook.query.projection.GroupTag;
import gatebook.query.projection.PageRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the approvals on one page. They are few, and each is written at once.
 *
 * <p>Most pages contain no approval event, only ends of calls without one. They cost one select.
 */
final class ApprovalRows implements PageRows {
  private static final String MERGE =
      "MERGE INTO askings (standing, changed, call, position) KEY (call) VALUES (?, ?, ?, ?)";
  private static final String UPDATE =
      "UPDATE askings SET standing = ?, changed = ? WHERE call = ?";

  private final Connection view;

  /** The calls that wait for a decision; read before the first end of a call. */
  private @Nullable Set<UUID> waiting;

  ApprovalRows(Connection view) {
    this.view = view;
  }

  /** An end of a call changes nothing while no call waits for a decision. */
  @Override
  public boolean canChangeBy(Entry entry) throws SQLException {
    return !CallEvents.ENDS.contains(entry.name()) || !waiting().isEmpty();
  }

  private Set<UUID> waiting() throws SQLException {
    Set<UUID> calls = waiting;
    if (calls == null) {
      calls = new HashSet<>(ApprovalsProjection.waiting(view, Integer.MAX_VALUE));
      waiting = calls;
    }
    return calls;
  }

  void add(UUID call, long position) throws SQLException {
    waiting().add(call);
    try (PreparedStatement statement = view.prepareStatement(MERGE)) {
      set(statement, ApprovalStatus.WAITING, position, call);
      statement.setLong(4, position);
      statement.executeUpdate();
    }
  }

  void decide(UUID call, ApprovalStatus status, long position) throws SQLException {
    waiting().remove(call);
    update(call, status, position);
  }

  void end(Entry entry) throws SQLException {
    UUID call = GroupTag.CALL.of(entry).orElseThrow();
    if (waiting().remove(call)) {
      update(call, ApprovalStatus.CALL_ENDED, entry.position());
    }
  }

  private void update(UUID call, ApprovalStatus status, long position) throws SQLException {
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

  @Override
  public void write() {}
}
