package gatebook.query.trees;

import gatebook.events.Named;
import gatebook.events.TreeExecutionEvent;
import gatebook.events.TreeTaskEvent;
import gatebook.events.journal.storage.Entry;
import gatebook.events.tree.TreeStatus;
import gatebook.query.projection.GroupTag;
import gatebook.query.projection.PageRows;
import java.sql.Connection;
import java.sql.SQLException;

/** The rows of the trees on one page, and of their tasks. */
final class TreeRows implements PageRows {
  private static final String CREATED = Named.NAMESPACE + ".TreeTaskCreated";

  private final TreeTable trees;
  private final TreeTaskTable tasks;
  private final TreeCallTable calls;
  private final TreeWebhookTable webhooks;

  TreeRows(Connection view) {
    this.trees = new TreeTable(view);
    this.tasks = new TreeTaskTable(view);
    this.calls = new TreeCallTable(view);
    this.webhooks = new TreeWebhookTable(view);
  }

  TreeCallTable calls() {
    return calls;
  }

  /** An event of a tree whose beginning was dropped changes nothing. */
  @Override
  public boolean canChangeBy(Entry entry) throws SQLException {
    return trees.isKnown(GroupTag.TREE.of(entry).orElseThrow()) || entry.name().equals(CREATED);
  }

  void apply(TreeTaskEvent event, Entry entry) throws SQLException {
    TreeStatus before = tasks.apply(event, entry);
    trees.changed(event, entry).apply(event, before, entry);
  }

  void apply(TreeExecutionEvent event, Entry entry) throws SQLException {
    trees.changed(event, entry).apply(event, entry);
    webhooks.apply(event, entry);
  }

  @Override
  public void write() throws SQLException {
    trees.write();
    tasks.write();
  }

  @Override
  public void close() throws SQLException {
    tasks.close();
  }
}
