package gatebook.query.calls;

import gatebook.events.AgentTaskCreated;
import gatebook.events.ApprovalGranted;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.CallEnd;
import gatebook.events.CallEvent;
import gatebook.events.CallOrphaned;
import gatebook.events.ErrorTranslated;
import gatebook.events.MessageRefused;
import gatebook.events.TaskCreated;
import gatebook.events.call.Dialect;
import gatebook.events.journal.storage.Entry;
import gatebook.query.call.CallStatus;
import gatebook.query.call.CallView;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.RowBatch;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The table of the tasks of calls that belong to a conversation, one row each, with its state. The
 * calls of protocols without conversations cause no statement.
 */
final class CallTaskTable implements AutoCloseable {
  static final ViewTable TABLE =
      new ViewTable(
          "call_tasks",
          "call",
          List.of(
              "task VARCHAR NOT NULL",
              "principal VARCHAR NOT NULL",
              "context VARCHAR NOT NULL",
              "created_at BIGINT NOT NULL",
              "expires_at BIGINT NOT NULL",
              "state VARCHAR NOT NULL",
              "changed_at BIGINT NOT NULL",
              "agent VARCHAR",
              "agent_task VARCHAR"),
          List.of("principal, expires_at", "principal, changed_at, position", "position"));

  private final Connection view;
  private final Map<UUID, Optional<Row>> rows = new LinkedHashMap<>();
  private @Nullable PreparedStatement select;

  /**
   * The row of a task.
   *
   * @param agent the agent upstream that gets the message of the task; absent when none does
   * @param agentTask the id of the task that the agent has for it; absent while it has none
   */
  private record Row(
      UUID call,
      String task,
      String principal,
      String context,
      long createdNanos,
      long expiresNanos,
      String state,
      long changedNanos,
      @Nullable String agent,
      @Nullable String agentTask,
      long position,
      long changed) {

    static Row of(TaskCreated event, String context, Entry entry, CallView call) {
      long createdNanos = EpochNanos.of(event.createdAt());
      CallTaskState state =
          call.status() == CallStatus.HELD ? CallTaskState.WAITING : CallTaskState.WORKING;
      return new Row(
          event.callId(),
          event.taskId(),
          Objects.requireNonNull(call.principal(), "a task has a caller"),
          context,
          createdNanos,
          EpochNanos.of(event.createdAt().plusMillis(event.ttlMillis())),
          state.word(),
          createdNanos,
          event.agent(),
          null,
          entry.position(),
          entry.position());
    }

    static Row of(ResultSet row) throws SQLException {
      return new Row(
          row.getObject("call", UUID.class),
          row.getString("task"),
          row.getString("principal"),
          row.getString("context"),
          row.getLong("created_at"),
          row.getLong("expires_at"),
          row.getString("state"),
          row.getLong("changed_at"),
          row.getString("agent"),
          row.getString("agent_task"),
          row.getLong("position"),
          row.getLong("changed"));
    }

    Row enter(CallTaskState newState, long nanos, Entry entry) {
      return with(newState.word(), nanos, agentTask, entry);
    }

    Row with(@Nullable String agentTaskId, Entry entry) {
      return with(state, changedNanos, agentTaskId, entry);
    }

    private Row with(String newState, long nanos, @Nullable String agentTaskId, Entry entry) {
      return new Row(
          call,
          task,
          principal,
          context,
          createdNanos,
          expiresNanos,
          newState,
          nanos,
          agent,
          agentTaskId,
          position,
          entry.position());
    }

    Row end(CallEnd event, Entry entry) {
      return switch (event) {
        case CallAnswered answered ->
            enter(answered(answered.outcome()), nanosAfter(answered.totalMillis()), entry);
        case ErrorTranslated translated ->
            enter(
                translated.fault().gate().isPresent() ? CallTaskState.DENIED : CallTaskState.FAILED,
                nanosAfter(translated.totalMillis()),
                entry);
        case CallAbandoned abandoned ->
            enter(CallTaskState.CANCELLED, nanosAfter(abandoned.totalMillis()), entry);
        case CallOrphaned _, MessageRefused _ -> enter(CallTaskState.FAILED, changedNanos, entry);
      };
    }

    private CallTaskState answered(CallAnswered.Outcome outcome) {
      if (agentTask != null) {
        return CallTaskState.AT_AGENT;
      }
      return outcome == CallAnswered.Outcome.TOOL_ERROR
          ? CallTaskState.FAILED
          : CallTaskState.COMPLETED;
    }

    private long nanosAfter(long millis) {
      return createdNanos + TimeUnit.MILLISECONDS.toNanos(millis);
    }
  }

  CallTaskTable(Connection view) {
    this.view = view;
  }

  /**
   * Applies an event to the task of its call, if it has one.
   *
   * @param call after the event
   */
  void apply(CallEvent event, Entry entry, CallTable.Row call) throws SQLException {
    if (event instanceof TaskCreated created && created.contextId() != null) {
      Row row = Row.of(created, created.contextId(), entry, call.view());
      rows.put(call.call(), Optional.of(row));
    } else if (event instanceof AgentTaskCreated created
        && created.taskId() != null
        && created.toldTaskId() != null) {
      change(call, row -> row.with(created.taskId(), entry));
    } else if (event instanceof ApprovalGranted granted) {
      long nanos = EpochNanos.of(granted.decidedAt());
      change(call, row -> row.enter(CallTaskState.WORKING, nanos, entry));
    } else if (event instanceof CallEnd end) {
      change(call, row -> row.end(end, entry));
    }
  }

  private void change(CallTable.Row call, UnaryOperator<Row> change) throws SQLException {
    if (call.view().dialect() == Dialect.A2A) {
      Optional<Row> row = rows.get(call.call());
      rows.put(call.call(), (row == null ? load(call.call()) : row).map(change));
    }
  }

  private Optional<Row> load(UUID call) throws SQLException {
    PreparedStatement selecting = select;
    if (selecting == null) {
      selecting = view.prepareStatement("SELECT * FROM call_tasks WHERE call = ?");
      select = selecting;
    }
    selecting.setObject(1, call);
    try (ResultSet row = selecting.executeQuery()) {
      return row.next() ? Optional.of(Row.of(row)) : Optional.empty();
    }
  }

  void write() throws SQLException {
    RowBatch.write(
        view,
        "MERGE INTO call_tasks (call, task, principal, context, created_at, expires_at, state,"
            + " changed_at, agent, agent_task, position, changed) KEY (call)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows.values().stream().flatMap(Optional::stream).toList(),
        CallTaskTable::set);
  }

  private static void set(PreparedStatement statement, Row row) throws SQLException {
    int at = 0;
    statement.setObject(++at, row.call);
    statement.setString(++at, row.task);
    statement.setString(++at, row.principal);
    statement.setString(++at, row.context);
    statement.setLong(++at, row.createdNanos);
    statement.setLong(++at, row.expiresNanos);
    statement.setString(++at, row.state);
    statement.setLong(++at, row.changedNanos);
    statement.setString(++at, row.agent);
    statement.setString(++at, row.agentTask);
    statement.setLong(++at, row.position);
    statement.setLong(++at, row.changed);
  }

  @Override
  public void close() throws SQLException {
    if (select != null) {
      select.close();
    }
  }
}
