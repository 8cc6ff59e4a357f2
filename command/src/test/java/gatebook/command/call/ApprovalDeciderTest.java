package gatebook.command.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import gatebook.command.call.CallState.End;
import gatebook.command.call.DecideApproval.Outcome;
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
  private static final UUID QUESTION = UUID.fromString("0192cccc-0000-7000-8000-0000000000ef");
  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  private static final Instant DEADLINE = NOON.plusSeconds(600);
  private static final Instant HELD_UNTIL = NOON.plusSeconds(300);
  private static final Instant SOON = NOON.plusSeconds(30);

  private static final ApprovalRequested HELD = asked("task-1", HELD_UNTIL, OnTimeout.DENY);
  private static final ApprovalRequested TASK = asked("task-1", null, OnTimeout.DENY);
  private static final ApprovalRequested LENIENT = asked("task-1", null, OnTimeout.APPROVE);
  private static final ApprovalRequested LENIENT_HELD =
      asked("task-1", HELD_UNTIL, OnTimeout.APPROVE);

  private static final ApprovalGranted GRANTED =
      new ApprovalGranted(CALL, QUESTION, "task-1", "ada", "fine", SOON);
  private static final ApprovalRejected REJECTED =
      new ApprovalRejected(CALL, QUESTION, "task-1", "ada", "fine", SOON);
  private static final ApprovalTimedOut TIMED_OUT =
      new ApprovalTimedOut(CALL, QUESTION, "task-1", DEADLINE, 600_000);
  private static final ApprovalTimedOut NO_LONGER_HELD =
      new ApprovalTimedOut(CALL, QUESTION, "task-1", HELD_UNTIL, 300_000);
  private static final CallAbandoned GONE =
      new CallAbandoned(CALL, CallAbandoned.Cause.DISCONNECTED, false, 1);

  static Stream<Arguments> decisions() {
    DecideApproval yes = deciding(true, SOON);
    DecideApproval no = deciding(false, SOON);
    return Stream.of(
        decided("a yes", yes, List.of(TASK), List.of(GRANTED), new Outcome.Granted()),
        decided("a no", no, List.of(TASK), List.of(REJECTED), new Outcome.Rejected()),
        decided(
            "a second click",
            deciding(false, SOON.plusSeconds(1)),
            List.of(TASK, GRANTED),
            List.of(),
            new Outcome.AlreadyDecided(true, "ada", SOON)),
        decided(
            "a change of mind",
            yes,
            List.of(TASK, REJECTED),
            List.of(),
            new Outcome.AlreadyDecided(false, "ada", SOON)),
        decided(
            "a yes at the very deadline",
            deciding(true, DEADLINE),
            List.of(TASK),
            List.of(new ApprovalGranted(CALL, QUESTION, "task-1", "ada", "fine", DEADLINE)),
            new Outcome.Granted()),
        decided(
            "a yes after the deadline closes the question",
            deciding(true, DEADLINE.plusNanos(1)),
            List.of(TASK),
            List.of(TIMED_OUT),
            new Outcome.TooLate(DEADLINE)),
        decided(
            "a yes for whoever was told that it took too long",
            deciding(true, HELD_UNTIL.plusNanos(1)),
            List.of(HELD),
            List.of(NO_LONGER_HELD),
            new Outcome.TooLate(HELD_UNTIL)),
        decided(
            "a no after a deadline that means yes",
            deciding(false, DEADLINE.plusSeconds(1)),
            List.of(LENIENT),
            List.of(byWorkflow(DEADLINE.plusSeconds(1))),
            new Outcome.TooLate(DEADLINE)),
        decided(
            "a yes for whoever was told before a deadline that means yes",
            deciding(true, HELD_UNTIL.plusNanos(1)),
            List.of(LENIENT_HELD),
            List.of(NO_LONGER_HELD),
            new Outcome.TooLate(HELD_UNTIL)),
        decided(
            "a yes to what timed out",
            yes,
            List.of(TASK, TIMED_OUT),
            List.of(),
            new Outcome.TooLate(DEADLINE)),
        decided(
            "a no to what the workflow granted",
            no,
            List.of(LENIENT, byWorkflow(DEADLINE)),
            List.of(),
            new Outcome.AlreadyDecided(true, null, DEADLINE)),
        decided("a question nobody put", yes, List.of(), List.of(), new Outcome.NoSuchApproval()),
        decided(
            "a caller who went away",
            yes,
            List.of(HELD, GONE),
            List.of(),
            new Outcome.CallerGone(End.ABANDONED)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("decisions")
  void aQuestionIsClosedOnceByWhoeverComesFirst(
      String name, DecideApproval command, CallState soFar, Decision<Outcome> expected) {
    assertThat(ApprovalDecider.decide(command, soFar)).isEqualTo(expected);
  }

  @Test
  void reasonsAndNamesHaveTheirLimitInBytes() {
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
        name, command, soFar(before), new Decision<Outcome>(events(events), outcome));
  }

  private static List<Event> events(List<CallEvent> events) {
    return List.copyOf(events);
  }

  private static CallState soFar(List<CallEvent> events) {
    CallState soFar = CallState.NOTHING;
    for (CallEvent event : events) {
      soFar = soFar.and(event);
    }
    return soFar;
  }

  private static DecideApproval deciding(boolean approved, Instant at) {
    return new DecideApproval(CALL, "ada", approved, "fine", at);
  }

  private static ApprovalGranted byWorkflow(Instant at) {
    return new ApprovalGranted(CALL, QUESTION, "task-1", null, null, at);
  }

  private static ApprovalRequested asked(
      String taskId, @Nullable Instant heldUntil, OnTimeout onTimeout) {
    return new ApprovalRequested(
        CALL,
        QUESTION,
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
