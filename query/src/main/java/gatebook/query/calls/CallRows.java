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
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of the calls on one page, of their keys and tasks, and of the changes of rules. */
final class CallRows implements PageRows {
  private final Connection view;
  private final CallTable calls;
  private final CallTaskTable tasks;
  private final TermBatch keys = new TermBatch(CallKeys.INDEX);
  private final CallBlocks blocks = new CallBlocks();

  /** That of the event which is handled next; absent for an event of no call. */
  private CallTable.@Nullable Row current;

  CallRows(Connection view) throws SQLException {
    this.view = view;
    this.calls = new CallTable(view);
    this.tasks = new CallTaskTable(view);
  }

  @Override
  public boolean canChangeBy(Entry entry) throws SQLException {
    Optional<UUID> call = GroupTag.CALL.of(entry);
    current = call.isEmpty() ? null : calls.find(call.get(), entry);
    return call.isEmpty() || current != null;
  }

  void apply(CallEvent event, Entry entry) throws SQLException {
    CallTable.Row call = current();
    call.apply(event, entry);
    call.addTo(blocks);
    tasks.apply(event, entry, call);
  }

  void admit(Entry entry) throws SQLException {
    CallTable.Row call = current();
    call.admit(entry);
    call.addStatusTo(blocks);
  }

  void forward(Entry entry) throws SQLException {
    CallTable.Row call = current();
    call.forward(entry);
    call.addStatusTo(blocks);
  }

  private CallTable.Row current() {
    return Objects.requireNonNull(current);
  }

  /** Adds keys by which the call of the event is found. */
  void addKeys(CallKeys added) {
    long position = current().position();
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
    calls.touched().forEach(call -> call.addTo(keys));
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
