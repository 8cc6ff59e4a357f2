package gatebook.query.calls;

import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.Named;
import gatebook.events.journal.Entry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which calls have begun and not ended; a call whose end comes on the same page costs nothing.
 *
 * <p>A notification is open only from its forwarding on: before, there is nothing whose end
 * somebody would have to know.
 */
final class OpenCalls {
  static final String TABLE =
      "CREATE TABLE open_calls (call UUID PRIMARY KEY, node VARCHAR NOT NULL)";

  private static final String BEGIN = Named.NAMESPACE + ".CallReceived";
  private static final String FORWARDED = Named.NAMESPACE + ".CallForwarded";

  private final CallEvents events;

  OpenCalls(CallEvents events) {
    this.events = events;
  }

  void project(Connection view, List<Entry> page) throws SQLException {
    Set<UUID> begun = new HashSet<>();
    Map<UUID, Entry> open = new LinkedHashMap<>();
    List<UUID> ended = new ArrayList<>();
    for (Entry entry : page) {
      CallEvents.callOf(entry)
          .ifPresent(call -> {
            if (entry.name().equals(BEGIN)) {
              begun.add(call);
              open.put(call, entry);
            } else if (entry.name().equals(FORWARDED)) {
              open.put(call, entry);
            } else if (CallEvents.ENDS.contains(entry.name())) {
              open.remove(call);
              if (!begun.contains(call)) {
                ended.add(call);
              }
            }
          });
    }
    delete(view, ended);
    insert(view, open.values().stream().filter(this::hasToEnd).toList());
  }

  private boolean hasToEnd(Entry entry) {
    return entry.name().equals(FORWARDED)
        || events
            .read(entry)
            .anyMatch(event -> event instanceof CallReceived call && call.rpcId() != null);
  }

  private static void delete(Connection view, List<UUID> calls) throws SQLException {
    if (calls.isEmpty()) {
      return;
    }
    try (PreparedStatement delete =
        view.prepareStatement("DELETE FROM open_calls WHERE call = ?")) {
      for (UUID call : calls) {
        delete.setObject(1, call);
        delete.addBatch();
      }
      delete.executeBatch();
    }
  }

  private static void insert(Connection view, List<Entry> begun) throws SQLException {
    if (begun.isEmpty()) {
      return;
    }
    try (PreparedStatement insert =
        view.prepareStatement("MERGE INTO open_calls (call, node) KEY (call) VALUES (?, ?)")) {
      for (Entry entry : begun) {
        insert.setObject(1, CallEvents.callOf(entry).orElseThrow());
        insert.setString(2, entry.node());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /** Oldest first; what ended since the view was written is left out. */
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

  private Optional<OpenCall> open(UUID call, String node) {
    Course course = new Course();
    events.of(call).forEach(course::tell);
    return course.open(node);
  }

  /** What a call's events come to, for whoever has to close it. */
  private static final class Course {
    private @Nullable CallReceived received;
    private @Nullable String taskId;
    private boolean forwarded;
    private boolean held;
    private boolean ended;

    void tell(CallEvent event) {
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
        case CallAnswered _, ErrorTranslated _, MessageRefused _, CallAbandoned _, CallOrphaned _ ->
            ended = true;
        case CallAdmitted _, GateDenied _ -> {
          // the call goes on
        }
      }
    }

    Optional<OpenCall> open(String node) {
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
