package gatebook.command.call;

import gatebook.command.call.CallState.Standing;
import gatebook.events.ApprovalEvent;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.ApprovalTimedOut;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Decides what becomes of a question: it is closed once, by whoever comes first. */
public final class ApprovalDecider {

  private ApprovalDecider() {}

  public static Decision<DecideApproval.Outcome> decide(DecideApproval command, CallState call) {
    return call.approval() == null
        ? nothing(new DecideApproval.Outcome.NoSuchApproval())
        : decide(command, call.approval(), call);
  }

  private static Decision<DecideApproval.Outcome> decide(
      DecideApproval command, CallState.Approval approval, CallState call) {
    return switch (approval.standing()) {
      case Standing.Granted(var event) ->
          nothing(new DecideApproval.Outcome.AlreadyDecided(true, event.by(), event.decidedAt()));
      case Standing.Rejected(var event) ->
          nothing(new DecideApproval.Outcome.AlreadyDecided(false, event.by(), event.decidedAt()));
      case Standing.TimedOut(var event) ->
          nothing(new DecideApproval.Outcome.TooLate(event.deadline()));
      case Standing.Waiting() when call.end() != null ->
          nothing(new DecideApproval.Outcome.CallerGone(call.end()));
      case Standing.Waiting() when command.at().isAfter(due(approval.asked())) ->
          new Decision<>(
              List.of(unanswered(approval.asked(), command.at())),
              new DecideApproval.Outcome.TooLate(due(approval.asked())));
      case Standing.Waiting() -> decided(command, approval.asked());
    };
  }

  private static Decision<DecideApproval.Outcome> decided(
      DecideApproval command, ApprovalRequested asked) {
    return command.approved()
        ? new Decision<>(List.of(granted(command, asked)), new DecideApproval.Outcome.Granted())
        : new Decision<>(List.of(rejected(command, asked)), new DecideApproval.Outcome.Rejected());
  }

  private static ApprovalGranted granted(DecideApproval command, ApprovalRequested asked) {
    return new ApprovalGranted(
        asked.callId(),
        asked.approvalId(),
        asked.taskId(),
        command.operator(),
        command.reason(),
        command.at());
  }

  private static ApprovalRejected rejected(DecideApproval command, ApprovalRequested asked) {
    return new ApprovalRejected(
        asked.callId(),
        asked.approvalId(),
        asked.taskId(),
        command.operator(),
        command.reason(),
        command.at());
  }

  /** What a deadline means that nobody kept. */
  public static ApprovalEvent unanswered(ApprovalRequested asked, Instant at) {
    return workflowSaysYes(asked)
        ? new ApprovalGranted(asked.callId(), asked.approvalId(), asked.taskId(), null, null, at)
        : timedOut(asked);
  }

  private static ApprovalTimedOut timedOut(ApprovalRequested asked) {
    Instant due = due(asked);
    return new ApprovalTimedOut(
        asked.callId(),
        asked.approvalId(),
        asked.taskId(),
        due,
        Math.max(0, Duration.between(asked.requestedAt(), due).toMillis()));
  }

  /** Who waits no longer is not helped by a yes, so the answer is due when he stops waiting. */
  public static Instant due(ApprovalRequested asked) {
    Instant heldUntil = asked.heldUntil();
    return heldUntil != null && heldUntil.isBefore(asked.deadline()) ? heldUntil : asked.deadline();
  }

  /** Only at the deadline itself: a caller who stopped waiting before was told so. */
  private static boolean workflowSaysYes(ApprovalRequested asked) {
    return asked.onTimeout() == OnTimeout.APPROVE && due(asked).equals(asked.deadline());
  }

  private static <R> Decision<R> nothing(R outcome) {
    return new Decision<>(List.of(), outcome);
  }
}
