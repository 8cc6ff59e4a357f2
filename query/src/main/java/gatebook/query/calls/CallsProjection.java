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
 * Projects each call to one row with its outcome, to the ids that it has, and to whether it is
 * open; everything else stays in the journal. A call that begins and ends on the same page is
 * written once.
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
    try (CallTable calls = new CallTable(view);
        CallKeys.KeyInserter keys = new CallKeys.KeyInserter(view)) {
      for (Entry entry : page) {
        Optional<UUID> call = CallTag.of(entry);
        if (call.isPresent()) {
          project(calls.of(call.get(), entry), entry, keys);
        } else if (entry.name().equals(RULES_ACTIVATED)) {
          ActivationPositions.add(view, (RulesActivated) events.read(entry), entry.position());
        }
      }
      calls.write();
      OpenCallTable.write(view, calls.touched());
      keys.write();
    }
  }

  private void project(CallTable.Row row, Entry entry, CallKeys.KeyInserter keys)
      throws SQLException {
    if (row.applyByName(entry)) {
      return;
    }
    CallEvent event = (CallEvent) events.read(entry);
    row.apply(event, entry);
    for (String key : keys(event)) {
      keys.add(row.call(), key, entry.position());
    }
  }

  /** The keys of the ids that an event adds to its call, besides the call's own id. */
  private static Set<String> keys(CallEvent event) {
    return switch (event) {
      case CallReceived call ->
          CallKeys.forCall(call.callId())
              .addNumber(call.traceId())
              .addText(call.traceId())
              .addText(call.correlationId())
              .addText(call.taskId())
              .keys();
      case MessageRefused message ->
          CallKeys.forCall(message.callId()).addText(message.correlationId()).keys();
      case ApprovalRequested asked ->
          CallKeys.forCall(asked.callId())
              .addNumber(asked.approvalId().toString())
              .addText(asked.taskId())
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
