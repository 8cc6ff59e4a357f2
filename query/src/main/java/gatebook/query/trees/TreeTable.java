package gatebook.query.trees;

import gatebook.events.TreeEvent;
import gatebook.events.journal.storage.Entry;
import gatebook.events.tree.TreeStatus;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.RowBatch;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The table of trees, one row each. Each tree of a page is read and written once. The row of a tree
 * stays when all its tasks are deleted, so that a rebuild knows which trees changed.
 */
final class TreeTable {
  static final ViewTable TABLE =
      new ViewTable(
          "trees",
          "position",
          List.of(
              "owner VARCHAR NOT NULL",
              "root_task VARCHAR",
              "name_at BIGINT NOT NULL",
              "status VARCHAR NOT NULL",
              "task_count INT NOT NULL",
              "pending INT NOT NULL",
              "in_progress INT NOT NULL",
              "completed INT NOT NULL",
              "failed INT NOT NULL",
              "cancelled INT NOT NULL",
              "created_at BIGINT NOT NULL",
              "started_at BIGINT",
              "ended_at BIGINT",
              "last_at BIGINT NOT NULL",
              "execution UUID",
              "execution_task VARCHAR",
              "execution_node VARCHAR",
              "execution_at BIGINT",
              "webhook UUID",
              "webhook_started_at BIGINT NOT NULL",
              "webhook_state VARCHAR",
              "webhook_last BOOLEAN NOT NULL",
              "webhook_attempt INT NOT NULL",
              "webhook_status INT",
              "webhook_failed_at BIGINT NOT NULL",
              "webhook_at BIGINT"),
          List.of(
              "tree",
              "owner, position",
              "owner, pending",
              "owner, in_progress, pending",
              "execution"));

  private static final String INSERT =
      "INSERT INTO trees (owner, root_task, name_at, status, task_count, pending, in_progress,"
          + " completed, failed, cancelled, created_at, started_at, ended_at, last_at, execution,"
          + " execution_task, execution_node, execution_at, webhook, webhook_started_at,"
          + " webhook_state, webhook_last, webhook_attempt, webhook_status, webhook_failed_at,"
          + " webhook_at, changed, tree, position) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
          + " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String UPDATE =
      "UPDATE trees SET owner = ?, root_task = ?, name_at = ?, status = ?, task_count = ?,"
          + " pending = ?, in_progress = ?, completed = ?, failed = ?, cancelled = ?,"
          + " created_at = ?, started_at = ?, ended_at = ?, last_at = ?, execution = ?,"
          + " execution_task = ?, execution_node = ?, execution_at = ?, webhook = ?,"
          + " webhook_started_at = ?, webhook_state = ?, webhook_last = ?, webhook_attempt = ?,"
          + " webhook_status = ?, webhook_failed_at = ?, webhook_at = ?, changed = ?"
          + " WHERE tree = ? AND position = ?";

  private final Connection view;
  private final Map<UUID, Row> rows = new LinkedHashMap<>();

  private static final class Row {
    private final long position;
    private final boolean stored;
    private final TreeSummary treeSummary;
    private long changed;

    Row(long position, boolean stored, TreeSummary treeSummary) {
      this.position = position;
      this.stored = stored;
      this.treeSummary = treeSummary;
    }
  }

  TreeTable(Connection view) {
    this.view = view;
  }

  /** Whether a tree has begun. One that was dropped has not. */
  boolean isKnown(UUID tree) throws SQLException {
    if (!rows.containsKey(tree)) {
      load(tree).ifPresent(row -> rows.put(tree, row));
    }
    return rows.containsKey(tree);
  }

  /** The summary of the tree that an event is about, which the event is about to change. */
  TreeSummary changed(TreeEvent event, Entry entry) {
    Row row =
        rows.computeIfAbsent(
            event.treeId(), _ -> new Row(entry.position(), false, new TreeSummary(event, entry)));
    row.changed = entry.position();
    return row.treeSummary;
  }

  private Optional<Row> load(UUID tree) throws SQLException {
    try (PreparedStatement select = view.prepareStatement("SELECT * FROM trees WHERE tree = ?")) {
      select.setObject(1, tree);
      try (ResultSet row = select.executeQuery()) {
        return row.next()
            ? Optional.of(new Row(row.getLong("position"), true, new TreeSummary(tree(row))))
            : Optional.empty();
      }
    }
  }

  /** Reads a tree from its row, without its tasks. */
  static TreeView tree(ResultSet row) throws SQLException {
    return new TreeView(
        row.getObject("tree", UUID.class),
        row.getString("owner"),
        row.getString("root_task"),
        null,
        status(row.getString("status")),
        counts(row),
        EpochNanos.toInstant(row.getLong("created_at")),
        time(row, "started_at"),
        time(row, "ended_at"),
        EpochNanos.toInstant(row.getLong("last_at")),
        execution(row),
        webhook(row),
        new TreeContentPlaces(
            row.getLong("name_at"),
            row.getLong("webhook_started_at"),
            row.getLong("webhook_failed_at")),
        List.of());
  }

  static TreeStatus status(String word) {
    return Arrays.stream(TreeStatus.values())
        .filter(status -> status.word().equals(word))
        .findFirst()
        .orElseThrow();
  }

  private static Map<TreeStatus, Integer> counts(ResultSet row) throws SQLException {
    Map<TreeStatus, Integer> counts = new EnumMap<>(TreeStatus.class);
    for (TreeStatus status : TreeStatus.values()) {
      counts.put(status, row.getInt(status.word()));
    }
    return counts;
  }

  private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
    @Nullable Long nanos = row.getObject(column, Long.class);
    return nanos == null ? null : EpochNanos.toInstant(nanos);
  }

  private static @Nullable OpenExecution execution(ResultSet row) throws SQLException {
    @Nullable UUID executionId = row.getObject("execution", UUID.class);
    return executionId == null
        ? null
        : new OpenExecution(
            executionId,
            row.getObject("tree", UUID.class),
            row.getString("owner"),
            row.getString("execution_task"),
            row.getString("execution_node"),
            EpochNanos.toInstant(row.getLong("execution_at")));
  }

  private static @Nullable WebhookView webhook(ResultSet row) throws SQLException {
    @Nullable UUID executionId = row.getObject("webhook", UUID.class);
    return executionId == null
        ? null
        : new WebhookView(
            executionId,
            "",
            WebhookView.State.valueOf(row.getString("webhook_state")),
            row.getBoolean("webhook_last"),
            row.getInt("webhook_attempt"),
            row.getObject("webhook_status", Integer.class),
            null,
            time(row, "webhook_at"));
  }

  void write() throws SQLException {
    RowBatch.write(view, INSERT, rows(false), TreeTable::set);
    RowBatch.write(view, UPDATE, rows(true), TreeTable::set);
  }

  private List<Row> rows(boolean stored) {
    return rows.values().stream().filter(row -> row.stored == stored).toList();
  }

  private static void set(PreparedStatement statement, Row row) throws SQLException {
    TreeView tree = row.treeSummary.toView(List.of());
    int at = 0;
    statement.setString(++at, tree.owner());
    statement.setString(++at, tree.rootTaskId());
    statement.setLong(++at, tree.contentPlaces().name());
    statement.setString(++at, tree.status().word());
    statement.setInt(++at, tree.taskCount());
    for (TreeStatus status : TreeStatus.values()) {
      statement.setInt(++at, tree.counts().getOrDefault(status, 0));
    }
    statement.setLong(++at, EpochNanos.of(tree.createdAt()));
    statement.setObject(++at, nanos(tree.startedAt()));
    statement.setObject(++at, nanos(tree.endedAt()));
    statement.setLong(++at, EpochNanos.of(tree.lastEventAt()));
    @Nullable OpenExecution execution = tree.execution();
    statement.setObject(++at, execution == null ? null : execution.executionId());
    statement.setString(++at, execution == null ? null : execution.taskId());
    statement.setString(++at, execution == null ? null : execution.node());
    statement.setObject(++at, execution == null ? null : nanos(execution.startedAt()));
    at = set(statement, at, tree.webhook(), tree.contentPlaces());
    statement.setLong(++at, row.changed);
    statement.setObject(++at, tree.treeId());
    statement.setLong(++at, row.position);
  }

  private static int set(
      PreparedStatement statement,
      int before,
      @Nullable WebhookView webhook,
      TreeContentPlaces contentPlaces)
      throws SQLException {
    int at = before;
    statement.setObject(++at, webhook == null ? null : webhook.executionId());
    statement.setLong(++at, contentPlaces.webhook());
    statement.setString(++at, webhook == null ? null : webhook.state().name());
    statement.setBoolean(++at, webhook != null && webhook.last());
    statement.setInt(++at, webhook == null ? 0 : webhook.attempt());
    statement.setObject(++at, webhook == null ? null : webhook.status());
    statement.setLong(++at, contentPlaces.failure());
    statement.setObject(++at, webhook == null ? null : nanos(webhook.at()));
    return at;
  }

  private static @Nullable Long nanos(@Nullable Instant at) {
    return at == null ? null : Long.valueOf(EpochNanos.of(at));
  }
}
