package gatebook.query.trees;

import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskEvent;
import gatebook.events.journal.storage.Entry;
import gatebook.events.tree.TreeStatus;
import gatebook.query.projection.RowBatch;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The table of the tasks of all trees, one row for each that was created. The row of a deleted task
 * stays, so that its tree is found by its id. Each task of a page is read and written once.
 */
final class TreeTaskTable implements AutoCloseable {
  static final ViewTable TABLE =
      new ViewTable(
          "tree_tasks",
          "position",
          List.of(
              "task VARCHAR NOT NULL",
              "owner VARCHAR NOT NULL",
              "parent VARCHAR",
              "status VARCHAR NOT NULL",
              "deleted BOOLEAN NOT NULL"),
          List.of("tree, task", "tree, parent", "task, owner", "owner, position"));

  private final Connection view;
  private final Map<Key, Row> current = new HashMap<>();
  private final List<Row> touched = new ArrayList<>();
  private @Nullable PreparedStatement select;

  private record Key(UUID tree, String task) {}

  /** The row of a task, as stored and as changed by the page's events. */
  private static final class Row {
    private final Key key;
    private final long position;
    private final boolean stored;
    private final String owner;
    private final @Nullable String parent;
    private TreeStatus status;
    private boolean deleted;
    private long changed;

    Row(
        Key key,
        long position,
        boolean stored,
        String owner,
        @Nullable String parent,
        TreeStatus status) {
      this.key = key;
      this.position = position;
      this.stored = stored;
      this.owner = owner;
      this.parent = parent;
      this.status = status;
    }
  }

  TreeTaskTable(Connection view) {
    this.view = view;
  }

  /** Applies an event to the task it is about and returns the status of the task before. */
  TreeStatus apply(TreeTaskEvent event, Entry entry) throws SQLException {
    Row row = row(event, entry);
    TreeStatus before = row.status;
    row.status = TreeSummary.statusAfter(event, before);
    row.deleted |= event instanceof TreeTaskDeleted;
    row.changed = entry.position();
    return before;
  }

  private Row row(TreeTaskEvent event, Entry entry) throws SQLException {
    Key key = new Key(event.treeId(), event.taskId());
    Row row = event instanceof TreeTaskCreated ? null : current.get(key);
    if (row == null) {
      row = event instanceof TreeTaskCreated created ? newRow(key, created, entry) : load(key);
      current.put(key, row);
      touched.add(row);
    }
    return row;
  }

  private static Row newRow(Key key, TreeTaskCreated created, Entry entry) {
    return new Row(
        key, entry.position(), false, created.owner(), created.parentId(), TreeStatus.PENDING);
  }

  private Row load(Key key) throws SQLException {
    PreparedStatement statement = selectStatement();
    statement.setObject(1, key.tree);
    statement.setString(2, key.task);
    try (ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        throw new IllegalStateException("no event created this task");
      }
      return new Row(
          key,
          row.getLong("position"),
          true,
          row.getString("owner"),
          row.getString("parent"),
          TreeTable.status(row.getString("status")));
    }
  }

  private PreparedStatement selectStatement() throws SQLException {
    PreparedStatement selecting = select;
    if (selecting == null) {
      selecting =
          view.prepareStatement(
              "SELECT * FROM tree_tasks WHERE tree = ? AND task = ? AND NOT deleted");
      select = selecting;
    }
    return selecting;
  }

  void write() throws SQLException {
    RowBatch.write(
        view,
        "INSERT INTO tree_tasks (task, owner, parent, status, deleted, changed, tree, position)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        rows(false),
        TreeTaskTable::set);
    RowBatch.write(
        view,
        "UPDATE tree_tasks SET task = ?, owner = ?, parent = ?, status = ?, deleted = ?,"
            + " changed = ? WHERE tree = ? AND position = ?",
        rows(true),
        TreeTaskTable::set);
  }

  private List<Row> rows(boolean stored) {
    return touched.stream().filter(row -> row.stored == stored).toList();
  }

  private static void set(PreparedStatement statement, Row row) throws SQLException {
    int at = 0;
    statement.setString(++at, row.key.task);
    statement.setString(++at, row.owner);
    statement.setString(++at, row.parent);
    statement.setString(++at, row.status.word());
    statement.setBoolean(++at, row.deleted);
    statement.setLong(++at, row.changed);
    statement.setObject(++at, row.key.tree);
    statement.setLong(++at, row.position);
  }

  @Override
  public void close() throws SQLException {
    if (select != null) {
      select.close();
    }
  }
}
