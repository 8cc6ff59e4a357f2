package gatebook.query.trees;

import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionEvent;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeWebhookDelivered;
import gatebook.events.TreeWebhookFailed;
import gatebook.events.TreeWebhookTakenOver;
import gatebook.events.journal.storage.Entry;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The table of webhooks, one row for each execution that has one. A row stays when its last message
 * is delivered or given up, so that a rebuild knows which trees changed.
 */
final class TreeWebhookTable {
  static final ViewTable TABLE =
      new ViewTable(
          "tree_webhooks",
          "execution",
          List.of(
              "execution UUID NOT NULL",
              "owner VARCHAR NOT NULL",
              "task VARCHAR NOT NULL",
              "node VARCHAR NOT NULL",
              "claimed_at BIGINT NOT NULL",
              "ended BOOLEAN NOT NULL",
              "settled BOOLEAN NOT NULL"),
          List.of("tree", "settled", "position"));

  private final Connection view;

  TreeWebhookTable(Connection view) {
    this.view = view;
  }

  void apply(TreeExecutionEvent event, Entry entry) throws SQLException {
    switch (event) {
      case TreeExecutionStarted started -> apply(started, entry);
      case TreeExecutionEnded ended -> set(ended, "ended = TRUE", entry);
      case TreeWebhookDelivered delivered -> settle(delivered, delivered.last(), entry);
      case TreeWebhookFailed failed -> settle(failed, failed.last() && failed.givenUp(), entry);
      case TreeWebhookTakenOver takenOver ->
          claim(takenOver, entry, EpochNanos.of(takenOver.takenOverAt()));
    }
  }

  private void apply(TreeExecutionStarted event, Entry entry) throws SQLException {
    if (event.webhook() != null && event.takenOver()) {
      claim(event, entry, EpochNanos.of(event.startedAt()));
    } else if (event.webhook() != null) {
      insert(event, entry);
    }
  }

  private void insert(TreeExecutionStarted event, Entry entry) throws SQLException {
    try (PreparedStatement insert =
        view.prepareStatement(
            "INSERT INTO tree_webhooks (tree, position, changed, execution, owner, task, node,"
                + " claimed_at, ended, settled) VALUES (?, ?, ?, ?, ?, ?, ?, ?, FALSE, FALSE)")) {
      int at = 0;
      insert.setObject(++at, event.treeId());
      insert.setLong(++at, entry.position());
      insert.setLong(++at, entry.position());
      insert.setObject(++at, event.executionId());
      insert.setString(++at, event.owner());
      insert.setString(++at, event.taskId());
      insert.setString(++at, entry.node());
      insert.setLong(++at, EpochNanos.of(event.startedAt()));
      insert.executeUpdate();
    }
  }

  private void settle(TreeExecutionEvent event, boolean isSettled, Entry entry)
      throws SQLException {
    if (isSettled) {
      set(event, "settled = TRUE", entry);
    }
  }

  private void set(TreeExecutionEvent event, String assignment, Entry entry) throws SQLException {
    try (PreparedStatement update =
        view.prepareStatement(
            "UPDATE tree_webhooks SET changed = ?, %s WHERE execution = ?".formatted(assignment))) {
      update.setLong(1, entry.position());
      update.setObject(2, event.executionId());
      update.executeUpdate();
    }
  }

  private void claim(TreeExecutionEvent event, Entry entry, long claimedAt) throws SQLException {
    try (PreparedStatement update =
        view.prepareStatement(
            "UPDATE tree_webhooks SET changed = ?, node = ?, claimed_at = ? WHERE execution = ?")) {
      update.setLong(1, entry.position());
      update.setString(2, entry.node());
      update.setLong(3, claimedAt);
      update.setObject(4, event.executionId());
      update.executeUpdate();
    }
  }

  /** Those of executions that ended, oldest first. */
  static List<OpenWebhook> open(Connection view) throws SQLException {
    List<OpenWebhook> open = new ArrayList<>();
    try (PreparedStatement select =
            view.prepareStatement(
                "SELECT * FROM tree_webhooks WHERE NOT settled AND ended ORDER BY position");
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        open.add(
            new OpenWebhook(
                row.getObject("execution", UUID.class),
                row.getObject("tree", UUID.class),
                row.getString("owner"),
                row.getString("task"),
                row.getString("node"),
                EpochNanos.toInstant(row.getLong("claimed_at"))));
      }
    }
    return open;
  }
}
