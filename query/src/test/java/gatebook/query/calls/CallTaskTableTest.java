package gatebook.query.calls;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.AgentTaskCreated;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.ReceivedCall;
import gatebook.events.TaskCreated;
import gatebook.events.call.Bytes;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.KeptContent;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.UpstreamFault;
import gatebook.query.FollowedJournal;
import gatebook.query.projection.View.Reached;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The tasks of calls, as their callers list them. */
@Timeout(300)
final class CallTaskTableTest {
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05.000000006Z");
  private static final long TTL_MILLIS = 60_000;
  private static final Digest DIGEST = new Digest("k1", Bytes.of(new byte[32]));

  @TempDir private Path directory;

  @AutoClose private FollowedJournal followed;
  private CallQueries callQueries;

  @BeforeEach
  void open() {
    followed = FollowedJournal.in(directory);
    callQueries = followed.follow(CallQueries::follow, it -> it.view().close());
  }

  @Test
  void tasksOfOneCallerAreListedByTheirLatestState() throws InterruptedException {
    append(created(1, "ada", "c-1"));
    append(created(2, "ada", "c-2"));
    append(created(3, "joe", "c-1"));
    append(created(4, "ada", "c-1"));
    append(created(5, "ada", null));
    append(answered(1, 7, CallAnswered.Outcome.SUCCESS));

    assertThat(list(query("ada"))).isEqualTo(page(3, "t1", "t4", "t2"));
    assertThat(list(query("joe"))).isEqualTo(page(1, "t3"));
    assertThat(list(query("eve"))).isEqualTo(page(0));
    assertThat(
            list(
                new ListCallTasks(
                    "ada",
                    Optional.empty(),
                    Optional.of("c-1"),
                    Optional.of(CallTaskState.WORKING),
                    Optional.empty(),
                    AT,
                    9,
                    Optional.empty())))
        .isEqualTo(page(1, "t4"));
  }

  @Test
  void heldMessageIsListedUntilItsAgentHasTheTask() throws InterruptedException {
    append(held(1, "planner"));
    append(held(2, "planner"));
    append(held(3, "writer"));
    append(created(4, "ada", "c-1"));
    assertThat(list(ofAgent("planner"))).isEqualTo(page(2, "t2", "t1"));
    assertThat(list(query("ada"))).isEqualTo(page(1, "t4"));

    append(agentTask(1, null, null));
    append(agentTask(1, "task-1", "t1"));
    assertThat(list(ofAgent("planner"))).isEqualTo(page(2, "t2", "t1"));

    append(answered(1, 7, CallAnswered.Outcome.SUCCESS));
    append(answered(2, 8, CallAnswered.Outcome.SUCCESS));
    assertThat(list(ofAgent("planner"))).isEqualTo(page(1, "t2"));
    assertThat(list(ofAgent("writer"))).isEqualTo(page(1, "t3"));
  }

  private static ListCallTasks ofAgent(String agent) {
    return new ListCallTasks(
        "ada",
        Optional.of(agent),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        AT,
        9,
        Optional.empty());
  }

  private static Event[] held(int number, String agent) {
    return new Event[] {
      received(number, "ada"),
      new TaskCreated(
          call(number),
          "t" + number,
          TaskCreated.Form.TASK,
          AT,
          TTL_MILLIS,
          "c-" + number,
          null,
          agent)
    };
  }

  private static AgentTaskCreated agentTask(
      int number, @Nullable String taskId, @Nullable String toldTaskId) {
    return new AgentTaskCreated(
        call(number), "planner", "ada", taskId, taskId, AT, null, toldTaskId, "c-" + number);
  }

  @Test
  void timeOfTheLatestStateIsIncluded() throws InterruptedException {
    append(created(1, "ada", "c"));
    append(created(2, "ada", "c"));
    append(answered(1, 7, CallAnswered.Outcome.SUCCESS));

    assertThat(list(since(AT))).isEqualTo(page(2, "t1", "t2"));
    assertThat(list(since(AT.plusMillis(7)))).isEqualTo(page(1, "t1"));
    assertThat(list(since(AT.plusMillis(7).plusNanos(1)))).isEqualTo(page(0));
  }

  @Test
  void taskIsListedUntilItsTimeToLiveHasPassed() throws InterruptedException {
    append(created(1, "ada", "c"));

    Instant end = AT.plusMillis(TTL_MILLIS);
    assertThat(list(at(end.minusNanos(1)))).isEqualTo(page(1, "t1"));
    assertThat(list(at(end))).isEqualTo(page(0));
  }

  @Test
  void pagesHaveEachTaskOnceAlsoAtTheSameTime() throws InterruptedException {
    for (int task = 1; task <= 5; task++) {
      append(created(task, "ada", "c"));
    }
    append(answered(2, 7, CallAnswered.Outcome.SUCCESS));

    List<List<String>> pages = new ArrayList<>();
    Optional<CallTaskCursor> after = Optional.empty();
    do {
      Listed page = list(after(after));
      assertThat(page.total()).isEqualTo(5);
      pages.add(page.taskIds());
      after = page.next();
    } while (after.isPresent());

    assertThat(pages).containsExactly(List.of("t2", "t5"), List.of("t4", "t3"), List.of("t1"));
  }

  static Stream<Arguments> endings() {
    return Stream.of(
        Arguments.of(answered(1, 7, CallAnswered.Outcome.SUCCESS), CallTaskState.COMPLETED),
        Arguments.of(answered(1, 7, CallAnswered.Outcome.TOOL_ERROR), CallTaskState.FAILED),
        Arguments.of(
            error(new UpstreamFault.UpstreamTimeout("files", "here", 1)), CallTaskState.FAILED),
        Arguments.of(error(new Denied.ApprovalTimeout("x", 1, "ops")), CallTaskState.DENIED),
        Arguments.of(
            new CallAbandoned(call(1), CallAbandoned.Cause.CANCELLED, false, 7),
            CallTaskState.CANCELLED),
        Arguments.of(new CallOrphaned(call(1), "node-2", true), CallTaskState.FAILED));
  }

  @ParameterizedTest
  @MethodSource("endings")
  void endOfTheCallIsTheStateOfTheTask(Event end, CallTaskState state) throws InterruptedException {
    append(created(1, "ada", "c"));
    assertThat(states()).containsExactly(CallTaskState.WORKING);
    append(end);

    assertThat(states()).containsExactly(state);
  }

  @Test
  void heldTaskWaitsUntilItIsApproved() throws InterruptedException {
    append(
        received(1, "ada"),
        new ApprovalRequested(
            call(1),
            call(1),
            "t1",
            "ops",
            "operator",
            DIGEST,
            AT,
            AT,
            null,
            ApprovalRequested.OnTimeout.DENY,
            "rules",
            List.of()),
        task(1, "c"));
    assertThat(states()).containsExactly(CallTaskState.WAITING);
    Instant granted = AT.plusSeconds(5);
    append(new ApprovalGranted(call(1), call(1), "t1", "eve", null, granted));

    assertThat(states()).containsExactly(CallTaskState.WORKING);
    assertThat(list(since(granted))).isEqualTo(page(1, "t1"));
    append(new CallForwarded(call(1), 1, "files", "http://files", 1000, null));
    assertThat(list(since(granted.plusNanos(1)))).isEqualTo(page(0));
  }

  /** A page without the cursors of its tasks. */
  private record Listed(
      Reached reached, List<String> taskIds, long total, Optional<CallTaskCursor> next) {}

  private Listed list(ListCallTasks query) throws InterruptedException {
    CallTaskPage page = callQueries.handle(query);
    return new Listed(page.reached(), page.taskIds(), page.total(), page.next());
  }

  /** The states in which the one task is listed. */
  private List<CallTaskState> states() throws InterruptedException {
    List<CallTaskState> states = new ArrayList<>();
    for (CallTaskState state : CallTaskState.values()) {
      ListCallTasks query =
          new ListCallTasks(
              "ada",
              Optional.empty(),
              Optional.empty(),
              Optional.of(state),
              Optional.empty(),
              AT,
              9,
              Optional.empty());
      if (list(query).total() == 1) {
        states.add(state);
      }
    }
    return states;
  }

  private static ListCallTasks query(String principal) {
    return query(principal, Optional.empty(), AT, 9, Optional.empty());
  }

  private static ListCallTasks since(Instant since) {
    return query("ada", Optional.of(since), AT, 9, Optional.empty());
  }

  private static ListCallTasks at(Instant at) {
    return query("ada", Optional.empty(), at, 9, Optional.empty());
  }

  private static ListCallTasks after(Optional<CallTaskCursor> after) {
    return query("ada", Optional.empty(), AT, 2, after);
  }

  private static ListCallTasks query(
      String principal,
      Optional<Instant> since,
      Instant at,
      int limit,
      Optional<CallTaskCursor> after) {
    return new ListCallTasks(
        principal, Optional.empty(), Optional.empty(), Optional.empty(), since, at, limit, after);
  }

  private Listed page(long total, String... taskIds) {
    long head = followed.journal().head();
    return new Listed(new Reached(head, head), List.of(taskIds), total, Optional.empty());
  }

  private void append(Event... events) {
    followed.append(AT, events);
  }

  private static UUID call(int number) {
    return new UUID(0x0192_0000_0000_7000L + ((long) number << 16), number);
  }

  private static Event[] created(int number, String principal, @Nullable String contextId) {
    return new Event[] {
      received(number, principal),
      new CallForwarded(call(number), 1, "files", "http://files", 1000, null),
      task(number, contextId)
    };
  }

  private static TaskCreated task(int number, @Nullable String contextId) {
    return new TaskCreated(
        call(number), "t" + number, TaskCreated.Form.TASK, AT, TTL_MILLIS, contextId, null);
  }

  private static CallAnswered answered(int number, long millis, CallAnswered.Outcome outcome) {
    return new CallAnswered(
        call(number), outcome, new KeptContent(2, DIGEST, null, null), 1, 5L, millis);
  }

  private static ErrorTranslated error(Fault fault) {
    return new ErrorTranslated(
        call(1), "echo", fault, new ErrorResponse(Dialect.A2A, -32_603, "no", null, 200), 1, 1L, 7);
  }

  private static CallReceived received(int number, String principal) {
    return ReceivedCall.of(call(number), AT)
        .in(Dialect.A2A, null)
        .method("SendMessage")
        .by(principal)
        .to("files", "echo")
        .task("t" + number)
        .event();
  }
}
