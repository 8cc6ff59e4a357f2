package gatebook.query.trees;

import gatebook.events.tree.TreeStatus;
import gatebook.query.calls.TaskCalls;
import gatebook.query.projection.View.Reached;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects rows of trees and of their tasks. A tree all of whose tasks were deleted is selected by
 * its ids only.
 */
final class TreeSelection {
  /** Of a task {@code t}. */
  private static final String HAS_CHILDREN =
      "EXISTS (SELECT 1 FROM tree_tasks c"
          + " WHERE c.tree = t.tree AND c.parent = t.task AND NOT c.deleted)";

  private static final Pattern SIXTEEN_BYTES = Pattern.compile("[0-9a-f]{32}");

  private final String id;
  private final @Nullable UUID number;

  /** The calls that have the id. */
  private final Set<UUID> calls;

  /** What those calls ran. */
  private final Set<TaskCalls.TaskRun> runs;

  private TreeSelection(
      String id, @Nullable UUID number, Set<UUID> calls, Set<TaskCalls.TaskRun> runs) {
    this.id = id;
    this.number = number;
    this.calls = calls;
    this.runs = runs;
  }

  /**
   * Selects the trees that have an id: their own, that of a task, or that of a call that created or
   * executed the tree or ran a task. An id that is a number of 16 bytes may be in upper case or
   * without its dashes.
   *
   * @param calls that have the id
   */
  static TreeSelection of(String id, List<UUID> calls, TaskCalls taskCalls) {
    @Nullable UUID number = number(id.strip());
    Set<UUID> all = new LinkedHashSet<>(calls);
    if (number != null) {
      all.add(number);
    }
    Set<TaskCalls.TaskRun> runs =
        all.stream().flatMap(call -> taskCalls.run(call).stream()).collect(Collectors.toSet());
    return new TreeSelection(id.strip(), number, all, runs);
  }

  private static @Nullable UUID number(String id) {
    String digits = id.replace("-", "").toLowerCase(Locale.ROOT);
    return SIXTEEN_BYTES.matcher(digits).matches()
        ? new UUID(
            Long.parseUnsignedLong(digits, 0, 16, 16), Long.parseUnsignedLong(digits, 16, 32, 16))
        : null;
  }

  /** The newest of the selected trees, newest first. */
  List<UUID> find(Connection view, int limit) throws SQLException {
    List<UUID> trees = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT t.tree FROM trees t JOIN (SELECT tree FROM trees WHERE tree = ?"
                + " UNION SELECT tree FROM tree_tasks WHERE task IN (?, ?)"
                + " UNION SELECT tree FROM tree_calls WHERE call = ANY(?)"
                + " UNION SELECT tree FROM tree_tasks WHERE task = ? AND owner = ?"
                    .repeat(runs.size())
                + ") f ON f.tree = t.tree ORDER BY t.position DESC LIMIT ?")) {
      select.setObject(1, number);
      select.setString(2, id);
      select.setString(3, number == null ? id : number.toString());
      select.setArray(4, view.createArrayOf("UUID", calls.toArray()));
      int parameter = 4;
      for (TaskCalls.TaskRun run : runs) {
        select.setString(++parameter, run.taskId());
        select.setString(++parameter, run.principal());
      }
      select.setInt(++parameter, limit);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          trees.add(row.getObject(1, UUID.class));
        }
      }
    }
    return trees;
  }

  static TreeQueries.Page page(Connection view, Reached reached, ListTrees query)
      throws SQLException {
    List<TreeView> trees = new ArrayList<>();
    OptionalLong next = OptionalLong.empty();
    long last = query.before().orElse(Long.MAX_VALUE);
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT * FROM trees WHERE position < ? AND task_count > 0%s%s ORDER BY position DESC LIMIT ?"
                .formatted(
                    query.owner().isPresent() ? " AND owner = ?" : "",
                    query.status().isPresent() ? " AND status = ?" : ""))) {
      int parameter = 0;
      select.setLong(++parameter, last);
      if (query.owner().isPresent()) {
        select.setString(++parameter, query.owner().get());
      }
      if (query.status().isPresent()) {
        select.setString(++parameter, query.status().get().word());
      }
      select.setInt(++parameter, query.limit() + 1);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          if (trees.size() == query.limit()) {
            next = OptionalLong.of(last);
            break;
          }
          trees.add(TreeTable.tree(row));
          last = row.getLong("position");
        }
      }
    }
    return new TreeQueries.Page(reached, trees, next);
  }

  static Map<TreeStatus, Long> counts(Connection view, CountTreeTasks query) throws SQLException {
    Map<TreeStatus, Long> counts = new EnumMap<>(TreeStatus.class);
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT status, COUNT(*) FROM tree_tasks WHERE owner = ? AND NOT deleted%s GROUP BY status"
                .formatted(query.rootOnly() ? " AND parent IS NULL" : ""))) {
      select.setString(1, query.owner());
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          counts.put(TreeTable.status(row.getString(1)), row.getLong(2));
        }
      }
    }
    return counts;
  }

  static TreeQueries.TaskPage tasks(Connection view, Reached reached, ListTreeTasks query)
      throws SQLException {
    String condition =
        "FROM tree_tasks t WHERE owner = ? AND NOT deleted%s%s"
            .formatted(
                query.status().isPresent() ? " AND status = ?" : "",
                query.rootOnly() ? " AND parent IS NULL" : "");
    return new TreeQueries.TaskPage(
        reached, tasks(view, condition, query), total(view, condition, query));
  }

  private static List<TreeQueries.ListedTask> tasks(
      Connection view, String condition, ListTreeTasks query) throws SQLException {
    List<TreeQueries.ListedTask> tasks = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT tree, task, %s %s ORDER BY position DESC LIMIT ? OFFSET ?"
                .formatted(HAS_CHILDREN, condition))) {
      int parameter = set(select, query);
      select.setInt(parameter, query.limit());
      select.setInt(parameter + 1, query.offset());
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          tasks.add(
              new TreeQueries.ListedTask(
                  row.getObject(1, UUID.class), row.getString(2), row.getBoolean(3)));
        }
      }
    }
    return tasks;
  }

  private static long total(Connection view, String condition, ListTreeTasks query)
      throws SQLException {
    try (PreparedStatement select = view.prepareStatement("SELECT COUNT(*) " + condition)) {
      set(select, query);
      return number(select);
    }
  }

  /** Sets the parameters of the condition; returns the number of the next one. */
  private static int set(PreparedStatement select, ListTreeTasks query) throws SQLException {
    select.setString(1, query.owner());
    if (query.status().isEmpty()) {
      return 2;
    }
    select.setString(2, query.status().get().word());
    return 3;
  }

  static boolean hasChildren(Connection view, UUID tree, String task) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s FROM (SELECT CAST(? AS UUID) AS tree, CAST(? AS VARCHAR) AS task) t"
                .formatted(HAS_CHILDREN))) {
      select.setObject(1, tree);
      select.setString(2, task);
      try (ResultSet row = select.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  static List<OpenExecution> openExecutions(Connection view) throws SQLException {
    List<OpenExecution> open = new ArrayList<>();
    try (PreparedStatement select =
            view.prepareStatement(
                "SELECT * FROM trees WHERE execution IS NOT NULL ORDER BY execution_at, position");
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        @Nullable OpenExecution execution = TreeTable.tree(row).execution();
        if (execution != null) {
          open.add(execution);
        }
      }
    }
    return open;
  }

  static long count(Connection view, String owner) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement("SELECT COUNT(*) FROM trees WHERE owner = ? AND task_count > 0")) {
      select.setString(1, owner);
      return number(select);
    }
  }

  /** Each of the two conditions is a range of one index. */
  static long countOpen(Connection view, String owner) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT (SELECT COUNT(*) FROM trees WHERE owner = ? AND pending > 0)"
                + " + (SELECT COUNT(*) FROM trees"
                + " WHERE owner = ? AND in_progress > 0 AND pending = 0)")) {
      select.setString(1, owner);
      select.setString(2, owner);
      return number(select);
    }
  }

  private static long number(PreparedStatement select) throws SQLException {
    try (ResultSet row = select.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }
}
