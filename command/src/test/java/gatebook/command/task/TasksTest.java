package gatebook.command.task;

import static gatebook.command.Given.rules;
import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.CLOCK;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.TELLING;
import static gatebook.command.GivenCall.TONGUE;
import static gatebook.command.GivenCall.call;
import static gatebook.command.GivenCall.told;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.Decision;
import gatebook.command.course.CallSoFar;
import gatebook.command.keep.Keeper;
import gatebook.command.keep.Seal;
import gatebook.command.receive.ReceiveCall;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Keeping;
import gatebook.command.rules.Rules;
import gatebook.command.settle.SettleCall;
import gatebook.command.settle.SettleCall.Ending;
import gatebook.command.settle.Settlement;
import gatebook.command.settle.Settling;
import gatebook.command.task.TaskStanding.State;
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

final class TasksTest {

  private static final Rules RULES = rules(List.of());
  private static final ReceiveCall COMMAND = call("deploy", RULES);
  private static final Keeper KEEPER =
      new Keeper(new byte[Keeper.KEY_BYTES], new Seal(new byte[Seal.KEY_BYTES]));
  private static final Keeper NOTHING =
      KEEPER.under(Scrubber.BUILT_IN, new Keeping(false, false, 1_024));
  private static final Keeper OTHER_KEY =
      new Keeper(new byte[Keeper.KEY_BYTES], new Seal(otherKey()));

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
            new Decision<TaskStanding>(
                List.of(),
                new TaskStanding.Known(
                    CREATED, state, changedAt, DEADLINE, SOON, COMMAND.params())));
  }

  @Test
  void nobodyElseIsToldThatThereIsSuchATask() {
    assertThat(outcome(asking("eve", SOON), soFar(List.of())))
        .isEqualTo(new TaskStanding.Unknown());
  }

  @Test
  void nobodyFindsATaskByItsCallAlone() {
    AskAfterTask guessed = new AskAfterTask(TaskId.of(CALL), "ada", RULES, SOON);

    assertThat(outcome(guessed, soFar(List.of()))).isEqualTo(new TaskStanding.Unknown());
    assertThat(outcome(asking("ada", SOON), CallSoFar.NOTHING))
        .isEqualTo(new TaskStanding.Unknown());
    assertThat(outcome(asking("ada", SOON), all(List.of(RECEIVED, ASKED))))
        .isEqualTo(new TaskStanding.Unknown());
  }

  @Test
  void aTaskIsThereUntilItsTimeIsOver() {
    Instant end = NOON.plusMillis(TTL_MILLIS);

    assertThat(outcome(asking("ada", end.minusNanos(1)), soFar(List.of())))
        .isInstanceOf(TaskStanding.Known.class);
    assertThat(outcome(asking("ada", end), soFar(List.of())))
        .isEqualTo(new TaskStanding.Expired(CREATED));
  }

  @Test
  void withAnotherKeyWhatWasAskedIsNotKnown() {
    TaskStanding standing =
        tasks(OTHER_KEY).decide(asking("ada", SOON), soFar(List.of())).outcome();

    assertThat(((TaskStanding.Known) standing).original()).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cancellingEndsWhatHasNotEnded(boolean forwarded) {
    List<CallEvent> before = forwarded ? List.of(GRANTED, FORWARDED) : List.of();

    assertThat(tasks(KEEPER).decide(new CancelTask(asking("ada", SOON)), soFar(before)))
        .isEqualTo(
            new Decision<TaskStanding>(
                List.of(new CallAbandoned(CALL, CallAbandoned.Cause.CANCELLED, forwarded, 30_000)),
                new TaskStanding.Known(
                    CREATED, new State.Cancelled(), SOON, DEADLINE, SOON, COMMAND.params())));
  }

  @Test
  void cancellingWhatHasEndedChangesNothing() {
    List<CallEvent> before = List.of(GRANTED, FORWARDED, kept(1, 1, "{}"), answered());

    Decision<TaskStanding> decision =
        tasks(KEEPER).decide(new CancelTask(asking("ada", SOON)), soFar(before));

    assertThat(decision).isEqualTo(tasks(KEEPER).decide(asking("ada", SOON), soFar(before)));
  }

  @Test
  void nobodyCancelsWhatIsNotHis() {
    assertThat(tasks(KEEPER).decide(new CancelTask(asking("eve", SOON)), soFar(List.of())))
        .isEqualTo(new Decision<TaskStanding>(List.of(), new TaskStanding.Unknown()));
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
  @ValueSource(ints = {1, Tasks.PART_CHARS, Tasks.PART_CHARS + 1, 3 * Tasks.PART_CHARS})
  void aResultIsKeptInPartsThatMakeItWhole(int chars) {
    String text = "x".repeat(chars);

    Decision<SettleTask.Outcome> decision = settled(KEEPER, new State.Answered(true, text));

    List<Event> events = decision.events();
    assertThat(events).hasSize((chars - 1) / Tasks.PART_CHARS + 2);
    assertThat(events.getLast())
        .isEqualTo(new CallAnswered(CALL, Outcome.TOOL_ERROR, KEEPER.keepResult(text), 1, 5L, 7));
    assertThat(decision.outcome())
        .isEqualTo(new SettleTask.Outcome.Settled(new Settlement.Answered()));
    List<CallEvent> after = events.stream().map(CallEvent.class::cast).toList();
    TaskStanding.Known standing = (TaskStanding.Known) outcome(asking("ada", SOON), soFar(after));
    assertThat(standing.state()).isEqualTo(new State.Answered(true, text));
  }

  @Test
  void aPartEndsWithWholeCharacters() {
    String text = "x".repeat(Tasks.PART_CHARS - 1) + "😀";

    List<CallEvent> after =
        settled(KEEPER, new State.Answered(true, text)).events().stream()
            .map(CallEvent.class::cast)
            .toList();

    assertThat(((TaskStanding.Known) outcome(asking("ada", SOON), soFar(after))).state())
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
                new SettleTask.Outcome.Settled(new Settlement.Failed(fault, told(fault)))));
  }

  @Test
  void whatWasCancelledIsNotSettled() {
    CallSoFar cancelled =
        soFar(
            List.of(
                GRANTED,
                FORWARDED,
                new CallAbandoned(CALL, CallAbandoned.Cause.CANCELLED, true, 1)));

    assertThat(tasks(KEEPER).decide(settling(new State.Answered(false, "{}")), cancelled))
        .isEqualTo(new Decision<>(List.of(), new SettleTask.Outcome.EndedBefore()));
  }

  private static Decision<SettleTask.Outcome> settled(Keeper keeper, State.Answered answer) {
    return tasks(keeper).decide(settling(answer), soFar(List.of(GRANTED, FORWARDED)));
  }

  private static SettleTask settling(State.Answered answer) {
    Ending ending = new Ending.Result(Outcome.of(answer.toolError()), answer.result(), RULES);
    return new SettleTask(
        ID.text(), new SettleCall(CALL, "c-1", TONGUE, NOON, "deploy", ending, 1, 5L));
  }

  private static TakeOverTask.Outcome takenOver(Keeper keeper, CallSoFar soFar) {
    return tasks(keeper).decide(new TakeOverTask(CALL, RULES), soFar).outcome();
  }

  private static TaskStanding outcome(AskAfterTask asking, CallSoFar soFar) {
    return tasks(KEEPER).decide(asking, soFar).outcome();
  }

  private static AskAfterTask asking(String principal, Instant at) {
    return new AskAfterTask(ID, principal, RULES, at);
  }

  private static ResultKept kept(int parts, int part, String text) {
    return new ResultKept(
        CALL, ID.text(), part, parts, Objects.requireNonNull(KEEPER.sealWhole(CALL, text)));
  }

  private static CallAnswered answered() {
    return new CallAnswered(CALL, Outcome.TOOL_ERROR, KEEPER.keepResult("{}"), 1, 5L, 25_000);
  }

  private static CallSoFar soFar(List<CallEvent> after) {
    return all(Stream.concat(Stream.of(RECEIVED, ASKED, CREATED), after.stream()).toList());
  }

  private static CallSoFar all(List<? extends CallEvent> events) {
    return events.stream().reduce(CallSoFar.NOTHING, CallSoFar::and, (_, last) -> last);
  }

  private static Tasks tasks(Keeper keeper) {
    return new Tasks(_ -> keeper, new Settling(_ -> keeper, TELLING, CLOCK), TELLING);
  }

  private static byte[] otherKey() {
    byte[] key = new byte[Seal.KEY_BYTES];
    Arrays.fill(key, (byte) 1);
    return key;
  }
}
