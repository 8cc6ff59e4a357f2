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
import gatebook.events.CallerReplied;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.Named;
import gatebook.events.ResultKept;
import gatebook.events.RulesActivated;
import gatebook.events.SourceAsked;
import gatebook.events.TaskCreated;
import gatebook.events.journal.Entry;
import gatebook.query.projection.CallTag;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.Projection;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What came of each call in one row, which ids stand for it, and whether it is open; the rest stays
 * in the journal. A call whose end comes on the same page as its beginning is written once.
 */
final class CallsProjection implements Projection {
  private static final String RULES_ACTIVATED = Named.NAMESPACE + ".RulesActivated";

  private final EventReader events;

  CallsProjection(EventReader events) {
    this.events = events;
  }

  @Override
  public String name() {
    return "calls";
  }

  @Override
  public int version() {
    return 5;
  }

  @Override
  public List<ViewTable> tables() {
    return List.of(CallTable.TABLE, CallKeys.TABLE, OpenCallTable.TABLE, ActivationPositions.TABLE);
  }

  @Override
  public void project(Connection view, List<Entry> page) throws SQLException {
    try (CallTable stories = new CallTable(view);
        CallKeys.Adding keys = new CallKeys.Adding(view)) {
      for (Entry entry : page) {
        Optional<UUID> call = CallTag.of(entry);
        if (call.isPresent()) {
          tell(stories.of(call.get(), entry), entry, keys);
        } else if (entry.name().equals(RULES_ACTIVATED)) {
          ActivationPositions.add(view, (RulesActivated) events.read(entry), entry.position());
        }
      }
      stories.write();
      OpenCallTable.write(view, stories.touched());
      keys.write();
    }
  }

  private void tell(CallTable.Row row, Entry entry, CallKeys.Adding keys) throws SQLException {
    if (row.tellByName(entry)) {
      return;
    }
    CallEvent event = (CallEvent) events.read(entry);
    row.tell(event, entry);
    for (String key : keys(event)) {
      keys.add(row.call(), key, entry.position());
    }
  }

  /** The ids that an event brings its call, besides its own. */
  private static Set<String> keys(CallEvent event) {
    return switch (event) {
      case CallReceived call ->
          CallKeys.beside(call.callId())
              .number(call.traceId())
              .text(call.traceId())
              .text(call.correlationId())
              .text(call.taskId())
              .keys();
      case MessageRefused message ->
          CallKeys.beside(message.callId()).text(message.correlationId()).keys();
      case ApprovalRequested asked ->
          CallKeys.beside(asked.callId())
              .number(asked.approvalId().toString())
              .text(asked.taskId())
              .keys();
      case CallAdmitted _,
          GateDenied _,
          ApprovalGranted _,
          ApprovalRejected _,
          ApprovalTimedOut _,
          CallForwarded _,
          TaskCreated _,
          ResultKept _,
          SourceAsked _,
          CallerReplied _,
          CallAnswered _,
          ErrorTranslated _,
          CallAbandoned _,
          CallOrphaned _ ->
          Set.of();
    };
  }
}
