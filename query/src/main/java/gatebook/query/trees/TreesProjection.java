package gatebook.query.trees;

import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskArchived;
import gatebook.events.TreeTaskCancelled;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskFailed;
import gatebook.events.TreeTaskLinked;
import gatebook.events.TreeTaskReferenced;
import gatebook.events.TreeTaskReopened;
import gatebook.events.TreeTaskRetried;
import gatebook.events.TreeTaskStarted;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.TreeWebhookDelivered;
import gatebook.events.TreeWebhookFailed;
import gatebook.events.TreeWebhookTakenOver;
import gatebook.events.journal.storage.Entry;
import gatebook.query.projection.GroupTag;
import gatebook.query.projection.Projection;
import gatebook.query.projection.ProjectionHandler;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Projects each tree to one row with its state, each of its tasks to one row, each call that
 * created or executed it to one row, and the webhook of each execution to one row; everything else
 * stays in the journal.
 */
final class TreesProjection implements Projection {
  @Override
  public String name() {
    return "trees";
  }

  @Override
  public int version() {
    return 5;
  }

  @Override
  public List<ViewTable> tables() {
    return List.of(
        TreeTable.TABLE, TreeTaskTable.TABLE, TreeCallTable.TABLE, TreeWebhookTable.TABLE);
  }

  @Override
  public GroupTag groupTag() {
    return GroupTag.TREE;
  }

  @Override
  public TreeRows rows(Connection view) {
    return new TreeRows(view);
  }

  /** A tree whose event is skipped would be shown with wrong counts. */
  @Override
  public boolean requiresHandler(Entry entry) {
    return GroupTag.TREE.of(entry).isPresent();
  }

  @ProjectionHandler
  void on(TreeTaskCreated event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
    rows.calls().apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeTaskUpdated event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeTaskDeleted event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeTaskStarted event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeTaskRetried event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeTaskCompleted event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeTaskFailed event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeTaskCancelled event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeTaskReopened event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeTaskLinked event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeTaskReferenced event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeTaskArchived event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeExecutionStarted event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
    rows.calls().apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeExecutionEnded event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeWebhookDelivered event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeWebhookFailed event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
  }

  @ProjectionHandler
  void on(TreeWebhookTakenOver event, Entry entry, TreeRows rows) throws SQLException {
    rows.apply(event, entry);
  }
}
