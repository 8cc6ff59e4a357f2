package gatebook.command.call.task;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.CLOCK;
import static gatebook.command.GivenCall.DIALECT_VERSION;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.RECORDER;
import static gatebook.command.GivenCall.RECORDERS;
import static gatebook.command.GivenCall.TRANSLATOR;
import static gatebook.command.GivenCall.call;
import static gatebook.command.GivenCall.errorResponse;
import static gatebook.command.GivenCall.recorders;
import static gatebook.command.GivenSources.rules;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.CallOutcome;
import gatebook.command.call.CallState;
import gatebook.command.call.Decision;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.SettleCall;
import gatebook.command.call.SettleCall.Ending;
import gatebook.command.call.SettleDecider;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskState;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.Rules;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.CallAnswered.Outcome;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.ReceivedCall;
import gatebook.events.ResultKept;
import gatebook.events.TaskCreated;
import gatebook.events.TaskCreated.Form;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TaskDeciderTest {

  private static final Rules RULES = rules(List.of());
  private static final ReceiveCall COMMAND = call("deploy", RULES);
  private static final PayloadRecorders KEEPS_NOTHING =
      recorders(new RecordRules(false, false, 1_024));

  private static final TaskReader READER = new TaskReader(TRANSLATOR);

  private static final TaskId ID = TaskId.generate(CALL);
  private static final Instant DEADLINE = NOON.plusSeconds(600);
  private static final long TTL_MILLIS = 900_000;
  private static final Instant SOON = NOON.plusSeconds(30);

  private static final CallReceived RECEIVED = received(COMMAND.params());

  /** The call after its key was destroyed. */
  private static final CallReceived ERASED = received(null);

  private static final ApprovalRequested REQUEST =
      new ApprovalRequested(
          CALL,
          CALL,
          ID.text(),
          "ops",
          "operator",
          RECORDER.digest(""),
          NOON,
          DEADLINE,
          null,
          OnTimeout.DENY,
          "sha256:1",
          List.of());
  private static final TaskCreated CREATED =
      new TaskCreated(CALL, ID.text(), Form.TASK, NOON, TTL_MILLIS);
  private static final ApprovalGranted GRANTED =
      new ApprovalGranted(CALL, CALL, ID.text(), "alice", null, NOON.plusSeconds(20));
  private static final CallForwarded FORWARDED = new CallForwarded(CALL, 1, "s", "here", 1, null);
  private static final Fault OUTCOME_UNKNOWN =
      new ServiceUnavailable(Cause.OUTCOME_NOT_RECORDED, null);
  private static final Denied REJECTED = new Denied.ApprovalRejected("deploy", "al", null, "ops");

  static Stream<Arguments> states() {
    return Stream.of(
        Arguments.of("undecided", List.of(), new TaskState.Waiting(), NOON),
        Arguments.of("approved", List.of(GRANTED), new TaskState.Working(), GRANTED.decidedAt()),
        Arguments.of(
            "forwarded", List.of(GRANTED, FORWARDED), new TaskState.Working(), GRANTED.decidedAt()),
        Arguments.of(
            "answered",
            List.of(GRANTED, FORWARDED, kept(2, 1, "{\"a"), kept(2, 2, "\":1}"), answered()),
            new CallOutcome.Answered(true, "{\"a\":1}"),
            NOON.plusMillis(25_000)),
        Arguments.of(
            "answered, one part missing",
            List.of(GRANTED, FORWARDED, kept(2, 1, "{\"a"), answered()),
            new CallOutcome.Failed(OUTCOME_UNKNOWN, errorResponse(OUTCOME_UNKNOWN)),
            NOON.plusMillis(25_000)),
        Arguments.of(
            "rejected",
            List.of(
                new ErrorTranslated(
                    CALL, "deploy", REJECTED, errorResponse(REJECTED), 0, null, 9_000)),
            new CallOutcome.Failed(REJECTED, errorResponse(REJECTED)),
            NOON.plusMillis(9_000)),
        Arguments.of(
            "cancelled",
            List.of(new CallAbandoned(CALL, CallAbandoned.Cause.CANCELLED, false, 7_000)),
            new CallOutcome.Cancelled(),
            NOON.plusMillis(7_000)),
        Arguments.of(
            "node died, call forwarded",
            List.of(GRANTED, FORWARDED, new CallOrphaned(CALL, "node", true)),
            new CallOutcome.Failed(OUTCOME_UNKNOWN, errorResponse(OUTCOME_UNKNOWN)),
            GRANTED.decidedAt()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void theStatusFollowsFromTheEvents(
      String what, List<CallEvent> events, TaskState state, Instant changedAt) {
    assertThat(outcome(getTask("ada", SOON), state(events)))
        .as(what)
        .isEqualTo(
            new TaskStatus.Known(
                CREATED,
                state,
                events.contains(GRANTED) ? GRANTED.decidedAt() : null,
                changedAt,
                DEADLINE,
                SOON,
                COMMAND.params()));
  }

  @Test
  void taskOfCallWithoutApprovalWorksAtOnce() {
    CallState state = all(List.of(RECEIVED, FORWARDED, CREATED));

    assertThat(outcome(getTask("ada", SOON), state))
        .isEqualTo(
            new TaskStatus.Known(
                CREATED, new TaskState.Working(), NOON, NOON, NOON, SOON, COMMAND.params()));
  }

  @Test
  void otherPrincipalsDoNotSeeTheTask() {
    assertThat(outcome(getTask("eve", SOON), state(List.of()))).isEqualTo(new TaskStatus.Unknown());
  }

  @Test
  void aTaskIsNotFoundByItsCallAlone() {
    GetTask guessed = new GetTask(TaskId.generate(CALL), "ada", RULES.hash(), SOON);

    assertThat(outcome(guessed, state(List.of()))).isEqualTo(new TaskStatus.Unknown());
    assertThat(outcome(getTask("ada", SOON), CallState.EMPTY)).isEqualTo(new TaskStatus.Unknown());
    assertThat(outcome(getTask("ada", SOON), all(List.of(RECEIVED, REQUEST))))
        .isEqualTo(new TaskStatus.Unknown());
  }

  @Test
  void aTaskExpiresAfterItsTimeToLive() {
    Instant end = NOON.plusMillis(TTL_MILLIS);

    assertThat(outcome(getTask("ada", end.minusNanos(1)), state(List.of())))
        .isInstanceOf(TaskStatus.Known.class);
    assertThat(outcome(getTask("ada", end), state(List.of())))
        .isEqualTo(new TaskStatus.Expired(CREATED));
  }

  @Test
  void paramsThatCannotBeReadAreUnknown() {
    TaskStatus status = outcome(getTask("ada", SOON), all(List.of(ERASED, REQUEST, CREATED)));

    assertThat(((TaskStatus.Known) status).params()).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cancellingEndsAnOpenTask(boolean forwarded) {
    List<CallEvent> before = forwarded ? List.of(GRANTED, FORWARDED) : List.of();

    assertThat(
            decider(RECORDERS).decide(new CancelTask(getTask("ada", SOON)), state(before), RULES))
        .isEqualTo(
            new Decision<TaskStatus>(
                List.of(new CallAbandoned(CALL, CallAbandoned.Cause.CANCELLED, forwarded, 30_000)),
                new TaskStatus.Known(
                    CREATED,
                    new CallOutcome.Cancelled(),
                    forwarded ? GRANTED.decidedAt() : null,
                    SOON,
                    DEADLINE,
                    SOON,
                    COMMAND.params())));
  }

  @Test
  void cancellingAnEndedTaskChangesNothing() {
    List<CallEvent> before = List.of(GRANTED, FORWARDED, kept(1, 1, "{}"), answered());

    Decision<TaskStatus> decision =
        decider(RECORDERS).decide(new CancelTask(getTask("ada", SOON)), state(before), RULES);

    assertThat(decision)
        .isEqualTo(new Decision<>(List.of(), outcome(getTask("ada", SOON), state(before))));
  }

  @Test
  void aTaskOfAnotherPrincipalIsNotCancelled() {
    assertThat(
            decider(RECORDERS)
                .decide(new CancelTask(getTask("eve", SOON)), state(List.of()), RULES))
        .isEqualTo(new Decision<TaskStatus>(List.of(), new TaskStatus.Unknown()));
  }

  @Test
  void aWaitingTaskIsTakenOverWithItsParams() {
    assertThat(waiting(state(List.of(GRANTED))))
        .isEqualTo(
            new FindWaitingTask.Result.Found(
                new FindWaitingTask.WaitingTask(RECEIVED, REQUEST, CREATED), COMMAND.params()));
    assertThat(waiting(all(List.of(ERASED, REQUEST, CREATED))))
        .isEqualTo(
            new FindWaitingTask.Result.Unreadable(
                new FindWaitingTask.WaitingTask(ERASED, REQUEST, CREATED)));
  }

  static Stream<List<CallEvent>> notWaiting() {
    return Stream.of(
        List.of(),
        List.of(RECEIVED, REQUEST),
        List.of(RECEIVED, REQUEST, CREATED, GRANTED, FORWARDED),
        List.of(
            RECEIVED,
            REQUEST,
            CREATED,
            new CallAbandoned(CALL, CallAbandoned.Cause.CANCELLED, false, 1)));
  }

  @ParameterizedTest
  @MethodSource("notWaiting")
  void aTaskThatDoesNotWaitIsNotTakenOver(List<CallEvent> events) {
    assertThat(waiting(all(events))).isEqualTo(new FindWaitingTask.Result.None());
  }

  @Test
  void aTaskThatWaitsHasAnOutcomeToCome() {
    assertThat(TaskReader.result(state(List.of(GRANTED))))
        .isEqualTo(
            new GetCallState.Result(true, Optional.of(CREATED.taskId()), false, Optional.empty()));
  }

  @Test
  void aTaskThatRunsHasAnOutcomeToCome() {
    assertThat(TaskReader.result(state(List.of(GRANTED, FORWARDED))))
        .isEqualTo(
            new GetCallState.Result(true, Optional.of(CREATED.taskId()), true, Optional.empty()));
  }

  @Test
  void aCallThatWasLeftOpenHasNoOutcome() {
    assertThat(
            TaskReader.result(
                state(List.of(GRANTED, FORWARDED, new CallOrphaned(CALL, "node", true)))))
        .isEqualTo(new GetCallState.Result(true, Optional.empty(), true, Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {1, TaskDecider.PART_CHARS, TaskDecider.PART_CHARS + 1, 3 * TaskDecider.PART_CHARS})
  void aLargeResultIsKeptInParts(int chars) {
    String text = "x".repeat(chars);

    Decision<CallOutcome> decision = settled(RECORDERS, new CallOutcome.Answered(true, text));

    List<Event> events = decision.events();
    assertThat(events).hasSize((chars - 1) / TaskDecider.PART_CHARS + 2);
    assertThat(events.getLast())
        .isEqualTo(new CallAnswered(CALL, Outcome.TOOL_ERROR, RECORDER.keepResult(text), 1, 5L, 7));
    assertThat(decision.outcome()).isEqualTo(new CallOutcome.Answered(true, text));
    List<CallEvent> after = events.stream().map(CallEvent.class::cast).toList();
    TaskStatus.Known status = (TaskStatus.Known) outcome(getTask("ada", SOON), state(after));
    assertThat(status.state()).isEqualTo(new CallOutcome.Answered(true, text));
  }

  @Test
  void aPartEndsWithAWholeCharacter() {
    String text = "x".repeat(TaskDecider.PART_CHARS - 1) + "😀";

    List<CallEvent> after =
        settled(RECORDERS, new CallOutcome.Answered(true, text)).events().stream()
            .map(CallEvent.class::cast)
            .toList();

    assertThat(((TaskStatus.Known) outcome(getTask("ada", SOON), state(after))).state())
        .isEqualTo(new CallOutcome.Answered(true, text));
  }

  @Test
  void aResultThatCannotBeKeptIsAFailure() {
    Fault fault =
        new UpstreamError(
            "deploy", null, "it was answered, and the answer could not be kept", null, null);

    assertThat(settled(KEEPS_NOTHING, new CallOutcome.Answered(false, "{}")))
        .isEqualTo(
            new Decision<>(
                List.of(new ErrorTranslated(CALL, "deploy", fault, errorResponse(fault), 1, 5L, 7)),
                new CallOutcome.Failed(fault, errorResponse(fault))));
  }

  @Test
  void aCancelledTaskIsNotSettled() {
    CallState cancelled =
        state(
            List.of(
                GRANTED,
                FORWARDED,
                new CallAbandoned(CALL, CallAbandoned.Cause.CANCELLED, true, 1)));

    assertThat(
            decider(RECORDERS)
                .decide(settleTask(new CallOutcome.Answered(false, "{}")), cancelled, RULES))
        .isEqualTo(new Decision<>(List.of(), new CallOutcome.Cancelled()));
  }

  private static Decision<CallOutcome> settled(
      PayloadRecorders payloadRecorders, CallOutcome.Answered answer) {
    return decider(payloadRecorders)
        .decide(settleTask(answer), state(List.of(GRANTED, FORWARDED)), RULES);
  }

  private static SettleTask settleTask(CallOutcome.Answered answer) {
    Ending ending = new Ending.Result(Outcome.of(answer.toolError()), answer.result());
    return new SettleTask(
        ID.text(),
        new SettleCall(
            CALL, "ada", "c-1", DIALECT_VERSION, NOON, "deploy", ending, 1, 5L, RULES.hash()));
  }

  private static FindWaitingTask.Result waiting(CallState state) {
    return READER.waiting(new FindWaitingTask(CALL, RULES.hash()), state);
  }

  private static TaskStatus outcome(GetTask getTask, CallState state) {
    return READER.status(getTask, state);
  }

  private static GetTask getTask(String principal, Instant at) {
    return new GetTask(ID, principal, RULES.hash(), at);
  }

  private static ResultKept kept(int parts, int part, String text) {
    return new ResultKept(CALL, ID.text(), part, parts, text);
  }

  private static CallReceived received(@Nullable String params) {
    return ReceivedCall.of(CALL, NOON)
        .correlation("c-1")
        .in(Dialect.MCP, DIALECT_VERSION.version())
        .by(COMMAND.principal())
        .to("s", "deploy")
        .task(ID.text())
        .with(null, params)
        .under("sha256:1")
        .event();
  }

  private static CallAnswered answered() {
    return new CallAnswered(CALL, Outcome.TOOL_ERROR, RECORDER.keepResult("{}"), 1, 5L, 25_000);
  }

  private static CallState state(List<CallEvent> after) {
    return all(Stream.concat(Stream.of(RECEIVED, REQUEST, CREATED), after.stream()).toList());
  }

  private static CallState all(List<? extends CallEvent> events) {
    return events.stream().reduce(CallState.EMPTY, CallState::evolve, (_, last) -> last);
  }

  private static TaskDecider decider(PayloadRecorders payloadRecorders) {
    return new TaskDecider(
        payloadRecorders, new SettleDecider(payloadRecorders, TRANSLATOR, CLOCK), READER);
  }
}
