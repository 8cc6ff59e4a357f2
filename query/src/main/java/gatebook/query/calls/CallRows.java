package gatebook.query.calls;

import gatebook.events.CallEvent;
import gatebook.events.JournalOutage;
import gatebook.events.RulesActivated;
import gatebook.events.RulesRejected;
import gatebook.events.journal.storage.Entry;
import gatebook.query.projection.GroupTag;
import gatebook.query.projection.PageRows;
import gatebook.query.terms.TermBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** The rows of the calls on one page, of their keys and tasks, and of the changes of rules. */
final class CallRows implements PageRows {
  private final Connection view;
  private final CallTable calls;
  private final CallTaskTable tasks;
  private final TermBatch keys = new TermBatch(CallKeys.INDEX);
  private final CallBlocks blocks = new CallBlocks();

  CallRows(Connection view) throws SQLException {
    this.view = view;
    this.calls = new CallTable(view);
    this.tasks = new CallTaskTable(view);
  }

  @Override
  public boolean canChangeBy(Entry entry) throws SQLException {
    Optional<UUID> call = GroupTag.CALL.of(entry);
    return call.isEmpty() || calls.isKnown(call.get(), entry);
  }

  void apply(CallEvent event, Entry entry) throws SQLException {
    CallTable.Row call = calls.of(event.callId());
    call.apply(event, entry);
    call.addTo(blocks);
    tasks.apply(event, entry, call);
  }

  void admit(Entry entry) throws SQLException {
    CallTable.Row call = of(entry);
    call.admit(entry);
    call.addStatusTo(blocks);
  }

  void forward(Entry entry) throws SQLException {
    CallTable.Row call = of(entry);
    call.forward(entry);
    call.addStatusTo(blocks);
  }

  private CallTable.Row of(Entry entry) {
    return calls.of(GroupTag.CALL.of(entry).orElseThrow());
  }

  /** Adds keys by which the call of an event is found. */
  void addKeys(CallKeys added, Entry entry) {
    long position = of(entry).position();
    added.keys().forEach(key -> keys.add(CallKeys.term(key), position));
  }

  void addActivation(RulesActivated activated, long position) throws SQLException {
    RuleChangeTable.add(view, activated.rulesHash(), false, position);
  }

  void addRejection(RulesRejected rejected, long position) throws SQLException {
    RuleChangeTable.add(view, rejected.rulesHash(), true, position);
  }

  void addOutage(JournalOutage outage, long position) throws SQLException {
    OutageTable.add(view, outage, position);
  }

  @Override
  public void write() throws SQLException {
    calls.write();
    OpenCallTable.write(view, calls.touched());
    keys.write(view);
    tasks.write();
    blocks.write(view);
  }

  @Override
  public void close() throws SQLException {
    try (calls;
        tasks) {
      // closes all, also when one fails
    }
  }
}
