package gatebook.command.call;

import static gatebook.command.Given.rules;
import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.KEEPER;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.call;
import static gatebook.command.GivenCall.received;
import static gatebook.command.GivenCall.told;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAbandoned.Cause;
import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.TaskCreated;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class AbandonDeciderTest {

  private static final Instant LATER = NOON.plusMillis(42);
  private static final Fault FAULT =
      new ServerFault.ServiceUnavailable(ServerFault.Cause.OUTCOME_NOT_RECORDED, null);

  private static final CallReceived RECEIVED = received(call("x", rules(List.of())), "s", "x");
  private static final CallAdmitted ADMITTED = new CallAdmitted(CALL, "sha256:1", List.of());
  private static final CallForwarded FORWARDED =
      new CallForwarded(CALL, 1, "s", "built-in", 1, null);
  private static final CallForwarded AGAIN =
      new CallForwarded(CALL, 2, "s", "built-in", 1, "refused");
  private static final ApprovalRequested HELD =
      new ApprovalRequested(
          CALL,
          CALL,
          null,
          "ops",
          "operator",
          KEEPER.digest("x"),
          NOON,
          NOON.plusSeconds(60),
          NOON.plusSeconds(60),
          OnTimeout.DENY,
          "sha256:1",
          List.of());
  private static final ApprovalGranted GRANTED =
      new ApprovalGranted(CALL, CALL, null, "ada", null, NOON);
  private static final CallAnswered ANSWERED =
      new CallAnswered(CALL, CallAnswered.Outcome.SUCCESS, KEEPER.keep("{}"), 1, 1L, 1);

  static Stream<Arguments> decisions() {
    return Stream.of(
        decided(
            "a caller who left while his call was held",
            gone(RECEIVED, HELD),
            abandoned(Cause.DISCONNECTED, false)),
        decided(
            "a caller who left after a yes that nobody acted on",
            gone(RECEIVED, HELD, GRANTED),
            abandoned(Cause.DISCONNECTED, false)),
        decided(
            "a caller who left while his call was upstream",
            gone(RECEIVED, ADMITTED, FORWARDED),
            abandoned(Cause.DISCONNECTED, true)),
        decided(
            "a process that died with a held call",
            orphaned(RECEIVED, HELD),
            abandoned(Cause.RESTARTED, false)),
        decided(
            "a process that died before acting on a yes",
            orphaned(RECEIVED, HELD, GRANTED),
            abandoned(Cause.RESTARTED, false)),
        decided(
            "a process that died after acting on a yes",
            orphaned(RECEIVED, HELD, GRANTED, ADMITTED, FORWARDED),
            new CallOrphaned(CALL, "node-1", true)),
        decided(
            "a process that died with a call upstream",
            orphaned(RECEIVED, ADMITTED, FORWARDED, AGAIN),
            new CallOrphaned(CALL, "node-1", true)),
        decided(
            "a process that died with a call of its own",
            orphaned(RECEIVED, ADMITTED),
            new CallOrphaned(CALL, "node-1", false)),
        decided(
            "what was told of a call that went upstream",
            closed(RECEIVED, ADMITTED, FORWARDED, AGAIN),
            translated(2)),
        decided("what was told of a held call", closed(RECEIVED, HELD), translated(0)),
        nothing("a caller who left after the answer", gone(RECEIVED, ADMITTED, ANSWERED)),
        nothing("a caller who left twice", gone(RECEIVED, abandoned(Cause.CANCELLED, false))),
        nothing("a caller whose call nobody knows", gone()),
        nothing("a process that died after the answer", orphaned(RECEIVED, ADMITTED, ANSWERED)),
        nothing(
            "a process that died twice", orphaned(RECEIVED, new CallOrphaned(CALL, "a", false))),
        nothing("a process that died with a call nobody knows", orphaned()),
        nothing("what was told after the answer", closed(RECEIVED, ADMITTED, ANSWERED)),
        nothing("what was told and is recorded", closed(RECEIVED, translated(0))),
        nothing("what was told of a call whose beginning is not recorded", closed()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("decisions")
  void anOpenCallIsClosedOnceAndAsWhatItWas(
      String what, Decision<Boolean> decision, Decision<Boolean> expected) {
    assertThat(decision).as(what).isEqualTo(expected);
  }

  @Test
  void aClockThatWentBackTookNoTime() {
    CallState soFar = soFar(RECEIVED, HELD);
    Instant before = NOON.minusSeconds(1);

    assertThat(
            Stream.of(
                    AbandonDecider.decide(
                        new AbandonCall(CALL, Cause.CANCELLED, NOON, before), soFar),
                    AbandonDecider.decide(new OrphanCall(CALL, "node-1", before), soFar),
                    AbandonDecider.decide(
                        new CloseCall(CALL, "x", FAULT, told(FAULT), NOON, before), soFar))
                .flatMap(it -> it.events().stream()))
        .containsExactly(
            new CallAbandoned(CALL, Cause.CANCELLED, false, 0),
            new CallAbandoned(CALL, Cause.RESTARTED, false, 0),
            new ErrorTranslated(CALL, "x", FAULT, told(FAULT), 0, null, 0));
  }

  @Test
  void aTaskThatWaitsForAPersonGoesOnWithoutTheProcess() {
    TaskCreated task = new TaskCreated(CALL, "gb_1", TaskCreated.Form.TASK, NOON, 1);

    assertThat(orphaned(RECEIVED, HELD, task)).isEqualTo(new Decision<>(List.of(), false));
    assertThat(orphaned(RECEIVED, HELD, task, FORWARDED))
        .isEqualTo(new Decision<>(List.of(new CallOrphaned(CALL, "node-1", true)), true));
  }

  private static Decision<Boolean> gone(CallEvent... events) {
    return AbandonDecider.decide(
        new AbandonCall(CALL, Cause.DISCONNECTED, NOON, LATER), soFar(events));
  }

  private static Decision<Boolean> orphaned(CallEvent... events) {
    return AbandonDecider.decide(new OrphanCall(CALL, "node-1", LATER), soFar(events));
  }

  private static Decision<Boolean> closed(CallEvent... events) {
    return AbandonDecider.decide(
        new CloseCall(CALL, "x", FAULT, told(FAULT), NOON, LATER), soFar(events));
  }

  private static CallState soFar(CallEvent... events) {
    return Stream.of(events).reduce(CallState.NOTHING, CallState::and, (_, last) -> last);
  }

  private static CallAbandoned abandoned(Cause cause, boolean forwarded) {
    return new CallAbandoned(CALL, cause, forwarded, 42);
  }

  private static ErrorTranslated translated(int attempts) {
    return new ErrorTranslated(CALL, "x", FAULT, told(FAULT), attempts, null, 42);
  }

  private static Arguments decided(String what, Decision<Boolean> decision, CallEvent end) {
    return Arguments.of(what, decision, new Decision<>(List.of(end), true));
  }

  private static Arguments nothing(String what, Decision<Boolean> decision) {
    return Arguments.of(what, decision, new Decision<>(List.of(), false));
  }
}
