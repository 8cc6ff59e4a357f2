package gatebook.command.call;

import static gatebook.command.Given.rules;
import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.CLOCK;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.TELLING;
import static gatebook.command.GivenCall.TONGUE;
import static gatebook.command.GivenCall.call;
import static gatebook.command.GivenCall.told;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.SettleCall.Ending;
import gatebook.command.call.TaskStatus.State;
import gatebook.command.keep.PayloadCipher;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.redact.Scrubber;
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
import gatebook.events.ResultKept;
import gatebook.events.TaskCreated;
import gatebook.events.TaskCreated.Form;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TaskDeciderTest {

  private static final Rules RULES = rules(List.of());
  private static final ReceiveCall COMMAND = call("deploy", RULES);
  private static final PayloadRecorder KEEPER =
      new PayloadRecorder(
          new byte[PayloadRecorder.KEY_BYTES],
          new PayloadCipher(new byte[PayloadCipher.KEY_BYTES]));
  private static final PayloadRecorder NOTHING =
      KEEPER.under(Scrubber.BUILT_IN, new RecordRules(false, false, 1_024));
  private static final PayloadRecorder OTHER_KEY =
      new PayloadRecorder(new byte[PayloadRecorder.KEY_BYTES], new PayloadCipher(otherKey()));

  private static final TaskId ID = TaskId.of(CALL);
  private static final Instant DEADLINE = NOON.plusSeconds(600);
  private static final long TTL_MILLIS = 900_000;
  private static final Instant SOON = NOON.plusSeconds(30);

  private static final CallReceived RECEIVED =
      new CallReceived(
          CALL,
          "c-1",
          null,
          Dialect.MCP,
          TONGUE.version(),
          Transport.HTTP,
          NOON,
          "tools/call",
          "1",
          COMMAND.principal(),
          "s",
          "deploy",
          ID.text(),
          null,
          KEEPER.sealWhole(CALL, Objects.requireNonNull(COMMAND.params())),
          "sha256:1");
  private static final ApprovalRequested ASKED =
      new ApprovalRequested(
          CALL,
          CALL,
          ID.text(),
          "ops",
          "operator",
          KEEPER.digest(""),
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
  private static final Fault LOST = new ServiceUnavailable(Cause.OUTCOME_NOT_RECORDED, null);
  private static final Denied REJECTED = new Denied.ApprovalRejected("deploy", "al", null, "ops");

  static Stream<Arguments> states() {
    return Stream.of(
        Arguments.of("nobody decided", List.of(), new State.Waiting(), NOON),
        Arguments.of("a yes", List.of(GRANTED), new State.Working(), GRANTED.decidedAt()),
        Arguments.of(
            "under way", List.of(GRANTED, FORWARDED), new State.Working(), GRANTED.decidedAt()),
        Arguments.of(
            "an answer",
            List.of(GRANTED, FORWARDED, kept(2, 1, "{\"a"), kept(2, 2, "\":1}"), answered()),
            new State.Answered(true, "{\"a\":1}"),
            NOON.plusMillis(25_000)),
        Arguments.of(
            "an answer of which a part is gone",
            List.of(GRANTED, FORWARDED, kept(2, 1, "{\"a"), answered()),
            new State.Failed(LOST, told(LOST)),
            NOON.plusMillis(25_000)),
        Arguments.of(
            "a no",
            List.of(new ErrorTranslated(CALL, "deploy", REJECTED, told(REJECTED), 0, null, 9_000)),
            new State.Failed(REJECTED, told(REJECTED)),
            NOON.plusMillis(9_000)),
        Arguments.of(
            "cancelled",
            List.of(new CallAbandoned(CALL, CallAbandoned.Cause.CANCELLED, false, 7_000)),
            new State.Cancelled(),
            NOON.plusMillis(7_000)),
        Arguments.of(
            "a node that died while it was under way",
            List.of(GRANTED, FORWARDED, new CallOrphaned(CALL, "node", true)),
            new State.Failed(LOST, told(LOST)),
            GRANTED.decidedAt()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void aTaskStandsAsItsEventsSay(
      String what, List<CallEvent> events, State state, Instant changedAt) {
    assertThat(tasks(KEEPER).decide(asking("ada", SOON), soFar(events)))
        .as(what)
        .isEqualTo(
            new Decision<TaskStatus>(
                List.of(),
                new TaskStatus.Known(CREATED, state, changedAt, DEADLINE, SOON, COMMAND.params())));
  }

  @Test
  void nobodyElseIsToldThatThereIsSuchATask() {
    assertThat(outcome(asking("eve", SOON), soFar(List.of()))).isEqualTo(new TaskStatus.Unknown());
  }

  @Test
  void nobodyFindsATaskByItsCallAlone() {
    GetTask guessed = new GetTask(TaskId.of(CALL), "ada", RULES, SOON);

    assertThat(outcome(guessed, soFar(List.of()))).isEqualTo(new TaskStatus.Unknown());
    assertThat(outcome(asking("ada", SOON), CallState.NOTHING)).isEqualTo(new TaskStatus.Unknown());
    assertThat(outcome(asking("ada", SOON), all(List.of(RECEIVED, ASKED))))
        .isEqualTo(new TaskStatus.Unknown());
  }

  @Test
  void aTaskIsThereUntilItsTimeIsOver() {
    Instant end = NOON.plusMillis(TTL_MILLIS);

    assertThat(outcome(asking("ada", end.minusNanos(1)), soFar(List.of())))
        .isInstanceOf(TaskStatus.Known.class);
    assertThat(outcome(asking("ada", end), soFar(List.of())))
        .isEqualTo(new TaskStatus.Expired(CREATED));
  }

  @Test
  void withAnotherKeyWhatWasAskedIsNotKnown() {
    TaskStatus standing = tasks(OTHER_KEY).decide(asking("ada", SOON), soFar(List.of())).outcome();

    assertThat(((TaskStatus.Known) standing).original()).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cancellingEndsWhatHasNotEnded(boolean forwarded) {
    List<CallEvent> before = forwarded ? List.of(GRANTED, FORWARDED) : List.of();

    assertThat(tasks(KEEPER).decide(new CancelTask(asking("ada", SOON)), soFar(before)))
        .isEqualTo(
            new Decision<TaskStatus>(
                List.of(new CallAbandoned(CALL, CallAbandoned.Cause.CANCELLED, forwarded, 30_000)),
                new TaskStatus.Known(
                    CREATED, new State.Cancelled(), SOON, DEADLINE, SOON, COMMAND.params())));
  }

  @Test
  void cancellingWhatHasEndedChangesNothing() {
    List<CallEvent> before = List.of(GRANTED, FORWARDED, kept(1, 1, "{}"), answered());

    Decision<TaskStatus> decision =
        tasks(KEEPER).decide(new CancelTask(asking("ada", SOON)), soFar(before));

    assertThat(decision).isEqualTo(tasks(KEEPER).decide(asking("ada", SOON), soFar(before)));
  }

  @Test
  void nobodyCancelsWhatIsNotHis() {
    assertThat(tasks(KEEPER).decide(new CancelTask(asking("eve", SOON)), soFar(List.of())))
        .isEqualTo(new Decision<TaskStatus>(List.of(), new TaskStatus.Unknown()));
  }

  @Test
  void aTaskThatWaitsIsTakenOverWithWhatWasAsked() {
    assertThat(takenOver(KEEPER, soFar(List.of(GRANTED))))
        .isEqualTo(
            new TakeOverTask.Outcome.Taken(
                new TakeOverTask.Left(RECEIVED, ASKED, CREATED), COMMAND.params()));
    assertThat(takenOver(OTHER_KEY, soFar(List.of())))
        .isEqualTo(
            new TakeOverTask.Outcome.Unreadable(new TakeOverTask.Left(RECEIVED, ASKED, CREATED)));
  }

  static Stream<List<CallEvent>> notWaiting() {
    return Stream.of(
        List.of(),
        List.of(RECEIVED, ASKED),
        List.of(RECEIVED, ASKED, CREATED, GRANTED, FORWARDED),
        List.of(
            RECEIVED,
            ASKED,
            CREATED,
            new CallAbandoned(CALL, CallAbandoned.Cause.CANCELLED, false, 1)));
  }

  @ParameterizedTest
  @MethodSource("notWaiting")
  void whatDoesNotWaitIsNotTakenOver(List<CallEvent> events) {
    assertThat(takenOver(KEEPER, all(events))).isEqualTo(new TakeOverTask.Outcome.Nothing());
  }

  @ParameterizedTest
  @ValueSource(
      ints = {1, TaskDecider.PART_CHARS, TaskDecider.PART_CHARS + 1, 3 * TaskDecider.PART_CHARS})
  void aResultIsKeptInPartsThatMakeItWhole(int chars) {
    String text = "x".repeat(chars);

    Decision<SettleTask.Outcome> decision = settled(KEEPER, new State.Answered(true, text));

    List<Event> events = decision.events();
    assertThat(events).hasSize((chars - 1) / TaskDecider.PART_CHARS + 2);
    assertThat(events.getLast())
        .isEqualTo(new CallAnswered(CALL, Outcome.TOOL_ERROR, KEEPER.keepResult(text), 1, 5L, 7));
    assertThat(decision.outcome())
        .isEqualTo(new SettleTask.Outcome.Settled(new SettleOutcome.Answered()));
    List<CallEvent> after = events.stream().map(CallEvent.class::cast).toList();
    TaskStatus.Known standing = (TaskStatus.Known) outcome(asking("ada", SOON), soFar(after));
    assertThat(standing.state()).isEqualTo(new State.Answered(true, text));
  }

  @Test
  void aPartEndsWithWholeCharacters() {
    String text = "x".repeat(TaskDecider.PART_CHARS - 1) + "😀";

    List<CallEvent> after =
        settled(KEEPER, new State.Answered(true, text)).events().stream()
            .map(CallEvent.class::cast)
            .toList();

    assertThat(((TaskStatus.Known) outcome(asking("ada", SOON), soFar(after))).state())
        .isEqualTo(new State.Answered(true, text));
  }

  @Test
  void aResultThatMayNotBeKeptAnyMoreIsToldAsAFailure() {
    Fault fault =
        new UpstreamError(
            "deploy", null, "it was answered, and the answer could not be kept", null, null);

    assertThat(settled(NOTHING, new State.Answered(false, "{}")))
        .isEqualTo(
            new Decision<>(
                List.of(new ErrorTranslated(CALL, "deploy", fault, told(fault), 1, 5L, 7)),
                new SettleTask.Outcome.Settled(new SettleOutcome.Failed(fault, told(fault)))));
  }

  @Test
  void whatWasCancelledIsNotSettled() {
    CallState cancelled =
        soFar(
            List.of(
                GRANTED,
                FORWARDED,
                new CallAbandoned(CALL, CallAbandoned.Cause.CANCELLED, true, 1)));

    assertThat(tasks(KEEPER).decide(settling(new State.Answered(false, "{}")), cancelled))
        .isEqualTo(new Decision<>(List.of(), new SettleTask.Outcome.EndedBefore()));
  }

  private static Decision<SettleTask.Outcome> settled(
      PayloadRecorder payloadRecorder, State.Answered answer) {
    return tasks(payloadRecorder).decide(settling(answer), soFar(List.of(GRANTED, FORWARDED)));
  }

  private static SettleTask settling(State.Answered answer) {
    Ending ending = new Ending.Result(Outcome.of(answer.toolError()), answer.result(), RULES);
    return new SettleTask(
        ID.text(), new SettleCall(CALL, "c-1", TONGUE, NOON, "deploy", ending, 1, 5L));
  }

  private static TakeOverTask.Outcome takenOver(PayloadRecorder payloadRecorder, CallState soFar) {
    return tasks(payloadRecorder).decide(new TakeOverTask(CALL, RULES), soFar).outcome();
  }

  private static TaskStatus outcome(GetTask asking, CallState soFar) {
    return tasks(KEEPER).decide(asking, soFar).outcome();
  }

  private static GetTask asking(String principal, Instant at) {
    return new GetTask(ID, principal, RULES, at);
  }

  private static ResultKept kept(int parts, int part, String text) {
    return new ResultKept(
        CALL, ID.text(), part, parts, Objects.requireNonNull(KEEPER.sealWhole(CALL, text)));
  }

  private static CallAnswered answered() {
    return new CallAnswered(CALL, Outcome.TOOL_ERROR, KEEPER.keepResult("{}"), 1, 5L, 25_000);
  }

  private static CallState soFar(List<CallEvent> after) {
    return all(Stream.concat(Stream.of(RECEIVED, ASKED, CREATED), after.stream()).toList());
  }

  private static CallState all(List<? extends CallEvent> events) {
    return events.stream().reduce(CallState.NOTHING, CallState::and, (_, last) -> last);
  }

  private static TaskDecider tasks(PayloadRecorder payloadRecorder) {
    return new TaskDecider(
        _ -> payloadRecorder, new SettleDecider(_ -> payloadRecorder, TELLING, CLOCK), TELLING);
  }

  private static byte[] otherKey() {
    byte[] key = new byte[PayloadCipher.KEY_BYTES];
    Arrays.fill(key, (byte) 1);
    return key;
  }
}
