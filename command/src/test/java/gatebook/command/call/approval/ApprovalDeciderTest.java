package gatebook.command.call.approval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import gatebook.command.call.CallState;
import gatebook.command.call.CallState.End;
import gatebook.command.call.Decision;
import gatebook.command.call.approval.DecideApproval.Outcome;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.CallAbandoned;
import gatebook.events.CallEvent;
import gatebook.events.Event;
import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ApprovalDeciderTest {
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final UUID APPROVAL = UUID.fromString("0192cccc-0000-7000-8000-0000000000ef");
  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  private static final Instant DEADLINE = NOON.plusSeconds(600);
  private static final Instant HELD_UNTIL = NOON.plusSeconds(300);
  private static final Instant SOON = NOON.plusSeconds(30);

  private static final ApprovalRequested HELD = request("task-1", HELD_UNTIL, OnTimeout.DENY);
  private static final ApprovalRequested TASK = request("task-1", null, OnTimeout.DENY);
  private static final ApprovalRequested APPROVED_ON_TIMEOUT =
      request("task-1", null, OnTimeout.APPROVE);
  private static final ApprovalRequested HELD_APPROVED_ON_TIMEOUT =
      request("task-1", HELD_UNTIL, OnTimeout.APPROVE);

  private static final ApprovalGranted GRANTED =
      new ApprovalGranted(CALL, APPROVAL, "task-1", "ada", "fine", SOON);
  private static final ApprovalRejected REJECTED =
      new ApprovalRejected(CALL, APPROVAL, "task-1", "ada", "fine", SOON);
  private static final ApprovalTimedOut TIMED_OUT =
      new ApprovalTimedOut(CALL, APPROVAL, "task-1", DEADLINE, 600_000);
  private static final ApprovalTimedOut NO_LONGER_HELD =
      new ApprovalTimedOut(CALL, APPROVAL, "task-1", HELD_UNTIL, 300_000);
  private static final CallAbandoned GONE =
      new CallAbandoned(CALL, CallAbandoned.Cause.DISCONNECTED, false, 1);

  static Stream<Arguments> decisions() {
    DecideApproval yes = command(true, SOON);
    DecideApproval no = command(false, SOON);
    return Stream.of(
        decided("approval", yes, List.of(TASK), List.of(GRANTED), new Outcome.Granted()),
        decided("rejection", no, List.of(TASK), List.of(REJECTED), new Outcome.Rejected()),
        decided(
            "second decision, the opposite",
            command(false, SOON.plusSeconds(1)),
            List.of(TASK, GRANTED),
            List.of(),
            new Outcome.AlreadyDecided(true, "ada", SOON)),
        decided(
            "approval after rejection",
            yes,
            List.of(TASK, REJECTED),
            List.of(),
            new Outcome.AlreadyDecided(false, "ada", SOON)),
        decided(
            "approval at the deadline",
            command(true, DEADLINE),
            List.of(TASK),
            List.of(new ApprovalGranted(CALL, APPROVAL, "task-1", "ada", "fine", DEADLINE)),
            new Outcome.Granted()),
        decided(
            "approval after the deadline",
            command(true, DEADLINE.plusNanos(1)),
            List.of(TASK),
            List.of(TIMED_OUT),
            new Outcome.TooLate(DEADLINE)),
        decided(
            "approval after the caller stopped waiting",
            command(true, HELD_UNTIL.plusNanos(1)),
            List.of(HELD),
            List.of(NO_LONGER_HELD),
            new Outcome.TooLate(HELD_UNTIL)),
        decided(
            "rejection after a deadline that approves",
            command(false, DEADLINE.plusSeconds(1)),
            List.of(APPROVED_ON_TIMEOUT),
            List.of(byWorkflow(DEADLINE.plusSeconds(1))),
            new Outcome.TooLate(DEADLINE)),
        decided(
            "approval after the caller stopped waiting, before a deadline that approves",
            command(true, HELD_UNTIL.plusNanos(1)),
            List.of(HELD_APPROVED_ON_TIMEOUT),
            List.of(NO_LONGER_HELD),
            new Outcome.TooLate(HELD_UNTIL)),
        decided(
            "approval after the timeout",
            yes,
            List.of(TASK, TIMED_OUT),
            List.of(),
            new Outcome.TooLate(DEADLINE)),
        decided(
            "rejection after the workflow approved",
            no,
            List.of(APPROVED_ON_TIMEOUT, byWorkflow(DEADLINE)),
            List.of(),
            new Outcome.AlreadyDecided(true, null, DEADLINE)),
        decided("no request", yes, List.of(), List.of(), new Outcome.NoSuchApproval()),
        decided(
            "caller gone",
            yes,
            List.of(HELD, GONE),
            List.of(),
            new Outcome.CallerGone(End.ABANDONED)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("decisions")
  void theFirstDecisionClosesARequest(
      String name, DecideApproval command, CallState state, Decision<Outcome> expected) {
    assertThat(ApprovalDecider.decide(command, state)).isEqualTo(expected);
  }

  @Test
  void reasonsAndNamesAreLimitedInBytes() {
    String longest = "é".repeat(DecideApproval.REASON_BYTES_MAX / 2);

    assertThat(new DecideApproval(CALL, "a".repeat(256), true, longest, NOON).reason())
        .isEqualTo(longest);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DecideApproval(CALL, "ada", true, longest + "!", NOON))
        .withMessage("a reason has at most 1024 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DecideApproval(CALL, "a".repeat(257), true, null, NOON))
        .withMessage("an operator's name has at most 256 bytes");
  }

  private static Arguments decided(
      String name,
      DecideApproval command,
      List<CallEvent> before,
      List<CallEvent> events,
      Outcome outcome) {
    return Arguments.of(
        name, command, state(before), new Decision<Outcome>(events(events), outcome));
  }

  private static List<Event> events(List<CallEvent> events) {
    return List.copyOf(events);
  }

  private static CallState state(List<CallEvent> events) {
    CallState state = CallState.EMPTY;
    for (CallEvent event : events) {
      state = state.evolve(event);
    }
    return state;
  }

  private static DecideApproval command(boolean approved, Instant at) {
    return new DecideApproval(CALL, "ada", approved, "fine", at);
  }

  private static ApprovalGranted byWorkflow(Instant at) {
    return new ApprovalGranted(CALL, APPROVAL, "task-1", null, null, at);
  }

  private static ApprovalRequested request(
      String taskId, @Nullable Instant heldUntil, OnTimeout onTimeout) {
    return new ApprovalRequested(
        CALL,
        APPROVAL,
        taskId,
        "ops",
        "operator",
        new Digest("k1", Bytes.of(new byte[32])),
        NOON,
        DEADLINE,
        heldUntil,
        onTimeout,
        "sha256:aa",
        List.of());
  }
}
