package gatebook.command.call;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.RECORDER;
import static gatebook.command.GivenCall.call;
import static gatebook.command.GivenCall.errorResponse;
import static gatebook.command.GivenCall.received;
import static gatebook.command.GivenSources.rules;
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
          RECORDER.digest("x"),
          NOON,
          NOON.plusSeconds(60),
          NOON.plusSeconds(60),
          OnTimeout.DENY,
          "sha256:1",
          List.of());
  private static final ApprovalGranted GRANTED =
      new ApprovalGranted(CALL, CALL, null, "ada", null, NOON);
  private static final CallAnswered ANSWERED =
      new CallAnswered(CALL, CallAnswered.Outcome.SUCCESS, RECORDER.keep("{}"), 1, 1L, 1);

  static Stream<Arguments> decisions() {
    return Stream.of(
        decided(
            "caller left, call held",
            abandon(RECEIVED, HELD),
            abandoned(Cause.DISCONNECTED, false)),
        decided(
            "caller left, call approved but not forwarded",
            abandon(RECEIVED, HELD, GRANTED),
            abandoned(Cause.DISCONNECTED, false)),
        decided(
            "caller left, call forwarded",
            abandon(RECEIVED, ADMITTED, FORWARDED),
            abandoned(Cause.DISCONNECTED, true)),
        decided(
            "process died, call held", orphan(RECEIVED, HELD), abandoned(Cause.RESTARTED, false)),
        decided(
            "process died, call approved but not forwarded",
            orphan(RECEIVED, HELD, GRANTED),
            abandoned(Cause.RESTARTED, false)),
        decided(
            "process died, call approved and forwarded",
            orphan(RECEIVED, HELD, GRANTED, ADMITTED, FORWARDED),
            new CallOrphaned(CALL, "node-1", true)),
        decided(
            "process died, call forwarded",
            orphan(RECEIVED, ADMITTED, FORWARDED, AGAIN),
            new CallOrphaned(CALL, "node-1", true)),
        decided(
            "process died, call without a source",
            orphan(RECEIVED, ADMITTED),
            new CallOrphaned(CALL, "node-1", false)),
        decided(
            "error sent, call forwarded",
            close(RECEIVED, ADMITTED, FORWARDED, AGAIN),
            translated(2)),
        decided("error sent, call held", close(RECEIVED, HELD), translated(0)),
        nothing("caller left after the answer", abandon(RECEIVED, ADMITTED, ANSWERED)),
        nothing("caller left twice", abandon(RECEIVED, abandoned(Cause.CANCELLED, false))),
        nothing("caller left, call unknown", abandon()),
        nothing("process died after the answer", orphan(RECEIVED, ADMITTED, ANSWERED)),
        nothing("process died twice", orphan(RECEIVED, new CallOrphaned(CALL, "a", false))),
        nothing("process died, call unknown", orphan()),
        nothing("error sent after the answer", close(RECEIVED, ADMITTED, ANSWERED)),
        nothing("error sent and recorded", close(RECEIVED, translated(0))),
        nothing("error sent, receipt not recorded", close()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("decisions")
  void anOpenCallIsClosedOnce(String what, Decision<Boolean> decision, Decision<Boolean> expected) {
    assertThat(decision).as(what).isEqualTo(expected);
  }

  @Test
  void aClockSetBackGivesNoNegativeDuration() {
    CallState state = state(RECEIVED, HELD);
    Instant before = NOON.minusSeconds(1);

    assertThat(
            Stream.of(
                    AbandonDecider.decide(
                        new AbandonCall(CALL, Cause.CANCELLED, NOON, before), state),
                    AbandonDecider.decide(new OrphanCall(CALL, "node-1", before), state),
                    AbandonDecider.decide(
                        new CloseUnrecordedCall(
                            CALL, "x", FAULT, errorResponse(FAULT), NOON, before),
                        state))
                .flatMap(it -> it.events().stream()))
        .containsExactly(
            new CallAbandoned(CALL, Cause.CANCELLED, false, 0),
            new CallAbandoned(CALL, Cause.RESTARTED, false, 0),
            new ErrorTranslated(CALL, "x", FAULT, errorResponse(FAULT), 0, null, 0));
  }

  @Test
  void aWaitingTaskOutlivesItsProcess() {
    TaskCreated task = new TaskCreated(CALL, "gb_1", TaskCreated.Form.TASK, NOON, 1);

    assertThat(orphan(RECEIVED, HELD, task)).isEqualTo(new Decision<>(List.of(), false));
    assertThat(orphan(RECEIVED, HELD, task, FORWARDED))
        .isEqualTo(new Decision<>(List.of(new CallOrphaned(CALL, "node-1", true)), true));
  }

  private static Decision<Boolean> abandon(CallEvent... events) {
    return AbandonDecider.decide(
        new AbandonCall(CALL, Cause.DISCONNECTED, NOON, LATER), state(events));
  }

  private static Decision<Boolean> orphan(CallEvent... events) {
    return AbandonDecider.decide(new OrphanCall(CALL, "node-1", LATER), state(events));
  }

  private static Decision<Boolean> close(CallEvent... events) {
    return AbandonDecider.decide(
        new CloseUnrecordedCall(CALL, "x", FAULT, errorResponse(FAULT), NOON, LATER),
        state(events));
  }

  private static CallState state(CallEvent... events) {
    return Stream.of(events).reduce(CallState.EMPTY, CallState::evolve, (_, last) -> last);
  }

  private static CallAbandoned abandoned(Cause cause, boolean forwarded) {
    return new CallAbandoned(CALL, cause, forwarded, 42);
  }

  private static ErrorTranslated translated(int attempts) {
    return new ErrorTranslated(CALL, "x", FAULT, errorResponse(FAULT), attempts, null, 42);
  }

  private static Arguments decided(String what, Decision<Boolean> decision, CallEvent end) {
    return Arguments.of(what, decision, new Decision<>(List.of(end), true));
  }

  private static Arguments nothing(String what, Decision<Boolean> decision) {
    return Arguments.of(what, decision, new Decision<>(List.of(), false));
  }
}
