package gatebook.query.calls;

import gatebook.events.AgentTaskCreated;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.CallAdmitted;
import gatebook.events.CallEnd;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallReceived;
import gatebook.events.CallerReplied;
import gatebook.events.GateDenied;
import gatebook.events.ResultKept;
import gatebook.events.SourceAsked;
import gatebook.events.TaskCreated;
import gatebook.query.call.CallEvents;
import gatebook.query.projection.RowBatch;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The table of open calls: those that began and have not ended, with the process that has them. */
final class OpenCallTable {
  static final ViewTable TABLE =
      new ViewTable("open_calls", "call", List.of("node VARCHAR NOT NULL"), List.of());

  private final CallEvents events;

  OpenCallTable(CallEvents events) {
    this.events = events;
  }

  /** Writes the changes of a page. A call that begins and ends on the same page causes no write. */
  static void write(Connection view, Collection<CallTable.Row> touched) throws SQLException {
    RowBatch.write(
        view,
        "DELETE FROM open_calls WHERE call = ?",
        touched.stream().filter(row -> row.wasOpen() && !row.isOpen()).toList(),
        (delete, row) -> delete.setObject(1, row.call()));
    RowBatch.write(
        view,
        "MERGE INTO open_calls (call, node, position, changed) KEY (call) VALUES (?, ?, ?, ?)",
        touched.stream().filter(row -> row.isOpen() && row.node() != null).toList(),
        OpenCallTable::set);
  }

  private static void set(PreparedStatement merge, CallTable.Row row) throws SQLException {
    merge.setObject(1, row.call());
    merge.setString(2, row.node());
    merge.setLong(3, row.position());
    merge.setLong(4, row.position()); // the call's row in the other table has the right value
  }

  /** The open calls, oldest first. Leaves out calls that ended since the view was written. */
  List<OpenCall> find(Connection view) throws SQLException {
    List<OpenCall> open = new ArrayList<>();
    try (PreparedStatement select =
            view.prepareStatement("SELECT call, node FROM open_calls ORDER BY call");
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        open(row.getObject(1, UUID.class), row.getString(2)).ifPresent(open::add);
      }
    }
    return open;
  }

  /** The blocks in which open calls began. */
  static Set<Long> blocks(Connection view) throws SQLException {
    Set<Long> blocks = new HashSet<>();
    try (PreparedStatement select = view.prepareStatement("SELECT position FROM open_calls");
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        blocks.add(CallBlocks.INDEX.place(row.getLong(1)));
      }
    }
    return blocks;
  }

  private Optional<OpenCall> open(UUID call, String node) {
    OpenCallState state = new OpenCallState();
    events.of(call).forEach(state::apply);
    return state.toOpenCall(node);
  }

  /** The state of an open call, computed from its events. */
  private static final class OpenCallState {
    private @Nullable CallReceived received;
    private @Nullable String taskId;
    private boolean forwarded;
    private boolean held;
    private boolean ended;

    void apply(CallEvent event) {
      switch (event) {
        case CallReceived call -> {
          received = call;
          taskId = call.taskId();
        }
        case ApprovalRequested asked -> {
          held = true;
          taskId = asked.taskId() == null ? taskId : asked.taskId();
        }
        case ApprovalGranted _, ApprovalRejected _, ApprovalTimedOut _ -> held = false;
        case CallForwarded _ -> forwarded = true;
        case CallEnd _ -> ended = true;
        case CallAdmitted _,
            GateDenied _,
            TaskCreated _,
            ResultKept _,
            AgentTaskCreated _,
            SourceAsked _,
            CallerReplied _ -> {
          // the call stays open
        }
      }
    }

    Optional<OpenCall> toOpenCall(String node) {
      return received == null || ended
          ? Optional.empty()
          : Optional.of(
              new OpenCall(
                  received.callId(),
                  received.correlationId(),
                  node,
                  received.receivedAt(),
                  taskId,
                  forwarded,
                  held));
    }
  }
}
