package gatebook.query.calls;

import gatebook.events.CallReceived;
import gatebook.query.call.CallEvents;
import gatebook.query.call.CallSummary;
import gatebook.query.call.CallView;
import gatebook.query.projection.View;
import gatebook.query.terms.TermSearch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Finds the calls that ran tasks: a call that runs a task was received with the task's id. */
public final class TaskCalls {
  /** The most calls that are found of one task. */
  static final int CALLS_MAX = 20;

  private final View view;
  private final CallEvents events;

  /**
   * @param view the view of calls
   */
  TaskCalls(View view, CallEvents events) {
    this.view = view;
    this.events = events;
  }

  /** What a call ran: a task of its principal. */
  public record TaskRun(String principal, String taskId) {}

  /** The task that a call ran; empty when it ran none. */
  public Optional<TaskRun> run(UUID call) {
    return events.of(call).stream()
        .filter(CallReceived.class::isInstance)
        .map(CallReceived.class::cast)
        .filter(received -> received.taskId() != null)
        .map(received -> new TaskRun(received.principal().name(), received.taskId()))
        .findFirst();
  }

  /**
   * Waits, for a limited time, until the view of calls has reached the head of the journal as it
   * was at the call, or {@code atLeast} if that is more.
   */
  public void awaitHead(long atLeast) throws InterruptedException {
    view.awaitHead(atLeast);
  }

  /**
   * The calls of each task, newest first, without their events.
   *
   * @param asOf finds only what was recorded up to this time; everything when empty
   */
  public Map<String, List<CallView>> find(
      String principal, List<String> taskIds, Optional<Instant> asOf) {
    Map<String, List<CallView>> calls = view.readSnapshot(it -> find(it, principal, taskIds));
    asOf.ifPresent(then -> calls.replaceAll((_, found) -> recordedUpTo(then, found)));
    return calls;
  }

  private static Map<String, List<CallView>> find(
      Connection view, String principal, List<String> taskIds) throws SQLException {
    Map<String, List<CallView>> calls = new HashMap<>();
    Map<Long, String> tasks = new HashMap<>();
    try (TermSearch search = new TermSearch(view, CallKeys.INDEX)) {
      for (String id : taskIds) {
        byte[] term = CallKeys.term(CallKeys.task(principal, id));
        search.places(term, Long.MAX_VALUE, CALLS_MAX).forEach(place -> tasks.put(place, id));
      }
    }
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT * FROM calls WHERE position = ANY(?) ORDER BY position DESC")) {
      select.setArray(1, view.createArrayOf("BIGINT", tasks.keySet().toArray()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          String task = Objects.requireNonNull(tasks.get(row.getLong("position")));
          calls.computeIfAbsent(task, _ -> new ArrayList<>()).add(CallTable.call(row));
        }
      }
    }
    return calls;
  }

  private List<CallView> recordedUpTo(Instant then, List<CallView> calls) {
    return calls.stream()
        .filter(call -> call.receivedAt() != null)
        .filter(call -> !Instant.parse(call.receivedAt()).isAfter(then))
        .map(call -> recordedUpTo(then, call.callId()))
        .toList();
  }

  private CallView recordedUpTo(Instant then, UUID call) {
    CallSummary callSummary = new CallSummary(call);
    events.entries(call).stream()
        .filter(entry -> !Instant.parse(entry.at()).isAfter(then))
        .forEach(
            entry -> events.read(entry).ifPresent(event -> callSummary.apply(event, entry.at())));
    return callSummary.toView(List.of());
  }
}
