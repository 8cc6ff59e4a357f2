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
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.Named;
import gatebook.events.journal.Entry;
import gatebook.events.vocabulary.Vocabulary;
import gatebook.query.projection.Projection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.axonframework.messaging.core.MessageType;

/** Which calls an id stands for, and which are open; what happened to them stays in the journal. */
final class CallIds implements Projection {
  /** The events that bring a call ids it did not have. */
  private static final Set<String> NAMING =
      Set.of(
          Named.NAMESPACE + ".CallReceived",
          Named.NAMESPACE + ".MessageRefused",
          Named.NAMESPACE + ".ApprovalRequested");

  private final Vocabulary vocabulary = new Vocabulary();
  private final OpenCalls open;

  CallIds(OpenCalls open) {
    this.open = open;
  }

  @Override
  public String name() {
    return "calls";
  }

  @Override
  public int version() {
    return 3;
  }

  @Override
  public List<String> tables() {
    return List.of(
        "CREATE TABLE known_by (id VARCHAR NOT NULL, call UUID NOT NULL)",
        "CREATE INDEX known_by_id ON known_by (id, call)",
        OpenCalls.TABLE);
  }

  @Override
  public void project(Connection view, List<Entry> events) throws SQLException {
    try (PreparedStatement insert =
        view.prepareStatement("INSERT INTO known_by (id, call) VALUES (?, ?)")) {
      for (Entry entry : events) {
        if (NAMING.contains(entry.name()) && read(entry) instanceof CallEvent call) {
          add(insert, call.callId(), keys(call));
        }
      }
      insert.executeBatch();
    }
    open.project(view, events);
  }

  private Event read(Entry entry) {
    return vocabulary.read(new MessageType(entry.name(), entry.version()), entry.payload());
  }

  /** The same key again does no harm: whoever looks asks for different calls. */
  private static void add(PreparedStatement insert, UUID call, Set<String> keys)
      throws SQLException {
    for (String key : keys) {
      insert.setString(1, key);
      insert.setObject(2, call);
      insert.addBatch();
    }
  }

  private static Set<String> keys(CallEvent event) {
    KnownBy known = new KnownBy().number(event.callId());
    return switch (event) {
      case CallReceived call ->
          known
              .number(call.traceId())
              .text(call.traceId())
              .text(call.correlationId())
              .text(call.taskId())
              .keys();
      case MessageRefused message -> known.text(message.correlationId()).keys();
      case ApprovalRequested asked -> known.number(asked.approvalId()).text(asked.taskId()).keys();
      case CallAdmitted _,
          GateDenied _,
          ApprovalGranted _,
          ApprovalRejected _,
          ApprovalTimedOut _,
          CallForwarded _,
          CallAnswered _,
          ErrorTranslated _,
          CallAbandoned _,
          CallOrphaned _ ->
          Set.of();
    };
  }

  /** The newest calls with any of these keys, newest first: their ids are ordered by time. */
  static List<UUID> find(Connection view, Set<String> keys, int limit) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT DISTINCT call FROM known_by WHERE id IN (?"
                + ", ?".repeat(keys.size() - 1)
                + ") ORDER BY call DESC LIMIT ?")) {
      int parameter = 0;
      for (String key : keys) {
        select.setString(++parameter, key);
      }
      select.setInt(++parameter, limit);
      List<UUID> calls = new ArrayList<>();
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          calls.add(row.getObject(1, UUID.class));
        }
      }
      return calls;
    }
  }
}
