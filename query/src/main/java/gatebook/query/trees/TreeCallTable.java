package gatebook.query.trees;

import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.journal.storage.Entry;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** The table of the calls that created a tree or started an execution of it, one row for each. */
final class TreeCallTable {
  static final ViewTable TABLE =
      new ViewTable("tree_calls", "position", List.of("call UUID NOT NULL"), List.of("call"));

  private final Connection view;

  TreeCallTable(Connection view) {
    this.view = view;
  }

  void apply(TreeTaskCreated event, Entry entry) throws SQLException {
    if (event.parentId() == null) {
      insert(event.treeId(), event.callId(), entry);
    }
  }

  void apply(TreeExecutionStarted event, Entry entry) throws SQLException {
    if (!event.takenOver()) {
      insert(event.treeId(), event.callId(), entry);
    }
  }

  private void insert(UUID tree, UUID call, Entry entry) throws SQLException {
    try (PreparedStatement insert =
        view.prepareStatement(
            "INSERT INTO tree_calls (tree, position, changed, call) VALUES (?, ?, ?, ?)")) {
      insert.setObject(1, tree);
      insert.setLong(2, entry.position());
      insert.setLong(3, entry.position());
      insert.setObject(4, call);
      insert.executeUpdate();
    }
  }
}
