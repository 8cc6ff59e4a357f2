package gatebook.query.calls;

import gatebook.query.calls.CallTaskPage.FoundTask;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.View.Reached;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Selects tasks of calls by a query. */
final class CallTaskSelection {
  private final Connection view;
  private final ListCallTasks query;
  private final StringBuilder condition = new StringBuilder("principal = ? AND expires_at > ?");
  private final List<Object> parameters = new ArrayList<>();

  CallTaskSelection(Connection view, ListCallTasks query) {
    this.view = view;
    this.query = query;
    parameters.add(query.principal());
    parameters.add(EpochNanos.of(query.at()));
    query
        .agent()
        .ifPresentOrElse(
            agent -> {
              require(" AND agent = ?", agent);
              require(" AND state <> ?", CallTaskState.AT_AGENT.word());
            },
            () -> condition.append(" AND agent IS NULL"));
    query.contextId().ifPresent(contextId -> require(" AND context = ?", contextId));
    query.state().ifPresent(state -> require(" AND state = ?", state.word()));
    query.changedSince().ifPresent(since -> require(" AND changed_at >= ?", EpochNanos.of(since)));
  }

  private void require(String sql, Object parameter) {
    condition.append(sql);
    parameters.add(parameter);
  }

  CallTaskPage page(Reached reached) throws SQLException {
    long total = total();
    query.after().ifPresent(this::skipTo);
    List<FoundTask> tasks = new ArrayList<>();
    Optional<CallTaskCursor> next = Optional.empty();
    try (PreparedStatement select =
        prepared(
            "SELECT task, changed_at, position FROM call_tasks WHERE %s"
                + " ORDER BY changed_at DESC, position DESC LIMIT ?")) {
      select.setInt(parameters.size() + 1, query.limit() + 1);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          if (tasks.size() == query.limit()) {
            next = Optional.of(tasks.getLast().cursor());
            break;
          }
          tasks.add(
              new FoundTask(
                  row.getString("task"),
                  new CallTaskCursor(row.getLong("changed_at"), row.getLong("position"))));
        }
      }
    }
    return new CallTaskPage(reached, tasks, total, next);
  }

  private void skipTo(CallTaskCursor cursor) {
    require(" AND changed_at <= ?", cursor.changedNanos()); // a range of the index
    require(" AND (changed_at < ?", cursor.changedNanos());
    require(" OR position < ?)", cursor.position());
  }

  private long total() throws SQLException {
    try (PreparedStatement select = prepared("SELECT COUNT(*) FROM call_tasks WHERE %s");
        ResultSet row = select.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  private PreparedStatement prepared(String sql) throws SQLException {
    PreparedStatement select = view.prepareStatement(sql.replace("%s", condition));
    for (int i = 0; i < parameters.size(); i++) {
      select.setObject(i + 1, parameters.get(i));
    }
    return select;
  }
}
