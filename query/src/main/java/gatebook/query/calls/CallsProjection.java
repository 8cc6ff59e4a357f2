package gatebook.query.calls;

import gatebook.events.AgentTaskCreated;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.CallerReplied;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.JournalOutage;
import gatebook.events.MessageRefused;
import gatebook.events.ResultKept;
import gatebook.events.RulesActivated;
import gatebook.events.RulesRejected;
import gatebook.events.SourceAsked;
import gatebook.events.TaskCreated;
import gatebook.events.journal.storage.Entry;
import gatebook.query.call.CallEvents;
import gatebook.query.projection.DroppedEvents;
import gatebook.query.projection.GroupTag;
import gatebook.query.projection.Projection;
import gatebook.query.projection.ProjectionHandler;
import gatebook.query.projection.SeededTable;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Projects each call to one row with its outcome, to the ids that it has, to whether it is open,
 * and to the state of its task, and each change of the rules and each outage to its position;
 * everything else stays in the journal. A call that begins and ends on the same page is written
 * once.
 */
final class CallsProjection implements Projection {
  @Override
  public String name() {
    return "calls";
  }

  @Override
  public int version() {
    return 15;
  }

  @Override
  public List<ViewTable> tables() {
    return List.of(
        CallTable.TABLE,
        OpenCallTable.TABLE,
        CallTaskTable.TABLE,
        RuleChangeTable.TABLE,
        OutageTable.TABLE);
  }

  @Override
  public List<SeededTable> seededTables() {
    return List.of(CallKeys.INDEX, CallBlocks.INDEX);
  }

  @Override
  public void drop(Connection view, DroppedEvents dropped) throws SQLException {
    Projection.super.drop(view, dropped);
    CallKeys.INDEX.drop(view, dropped);
    CallBlocks.INDEX.drop(view, dropped);
  }

  @Override
  public CallRows rows(Connection view) throws SQLException {
    return new CallRows(view);
  }

  /** A call whose event is skipped would be shown with a wrong outcome. */
  @Override
  public boolean requiresHandler(Entry entry) {
    return GroupTag.CALL.of(entry).isPresent();
  }

  @ProjectionHandler
  void on(RulesActivated event, Entry entry, CallRows rows) throws SQLException {
    rows.addActivation(event, entry.position());
  }

  @ProjectionHandler
  void on(RulesRejected event, Entry entry, CallRows rows) throws SQLException {
    rows.addRejection(event, entry.position());
  }

  @ProjectionHandler
  void on(JournalOutage event, Entry entry, CallRows rows) throws SQLException {
    rows.addOutage(event, entry.position());
  }

  /** The name of the event says all, so the event is not read. */
  @ProjectionHandler(eventName = CallEvents.ADMITTED)
  void onAdmitted(Entry entry, CallRows rows) throws SQLException {
    rows.admit(entry);
  }

  /** The name of the event says all, so the event is not read. */
  @ProjectionHandler(eventName = CallEvents.FORWARDED)
  void onForwarded(Entry entry, CallRows rows) throws SQLException {
    rows.forward(entry);
  }

  @ProjectionHandler
  void on(CallReceived event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
    rows.addKeys(
        CallKeys.forCall(event.callId())
            .addNumber(event.traceId())
            .addText(event.traceId())
            .addText(event.correlationId())
            .addText(event.taskId())
            .addTask(event.principal().name(), event.taskId())
            .addAbout(event.aboutIds()));
  }

  @ProjectionHandler
  void on(MessageRefused event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
    rows.addKeys(CallKeys.forCall(event.callId()).addText(event.correlationId()));
  }

  @ProjectionHandler
  void on(ApprovalRequested event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
    rows.addKeys(
        CallKeys.forCall(event.callId())
            .addNumber(event.approvalId().toString())
            .addText(event.taskId()));
  }

  @ProjectionHandler
  void on(GateDenied event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(ApprovalGranted event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(ApprovalRejected event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(ApprovalTimedOut event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(TaskCreated event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(AgentTaskCreated event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
    rows.addKeys(
        CallKeys.forCall(event.callId())
            .addText(event.taskId())
            .addText(event.contextId())
            .addText(event.toldContextId()));
  }

  @ProjectionHandler
  void on(ResultKept event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(SourceAsked event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(CallerReplied event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(CallAnswered event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(ErrorTranslated event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(CallAbandoned event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(CallOrphaned event, Entry entry, CallRows rows) throws SQLException {
    rows.apply(event, entry);
  }
}
