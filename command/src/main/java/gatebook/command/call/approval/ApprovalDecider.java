package gatebook.command.call.approval;

import gatebook.command.call.CallState;
import gatebook.command.call.CallState.ApprovalStatus;
import gatebook.command.call.Decision;
import gatebook.events.ApprovalEvent;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.ApprovalTimedOut;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Decides approval requests: the first decision closes a request, later ones change nothing. */
public final class ApprovalDecider {

  private ApprovalDecider() {}

  public static Decision<DecideApproval.Outcome> decide(DecideApproval command, CallState call) {
    return call.approval() == null
        ? nothing(new DecideApproval.Outcome.NoSuchApproval())
        : decide(command, call.approval(), call);
  }

  private static Decision<DecideApproval.Outcome> decide(
      DecideApproval command, CallState.Approval approval, CallState call) {
    return switch (approval.status()) {
      case ApprovalStatus.Granted(var event) ->
          nothing(new DecideApproval.Outcome.AlreadyDecided(true, event.by(), event.decidedAt()));
      case ApprovalStatus.Rejected(var event) ->
          nothing(new DecideApproval.Outcome.AlreadyDecided(false, event.by(), event.decidedAt()));
      case ApprovalStatus.TimedOut(var event) ->
          nothing(new DecideApproval.Outcome.TooLate(event.deadline()));
      case ApprovalStatus.Waiting() when call.end() != null ->
          nothing(new DecideApproval.Outcome.CallerGone(call.end()));
      case ApprovalStatus.Waiting() when command.at().isAfter(approval.request().due()) ->
          new Decision<>(
              List.of(deadlineEvent(approval.request(), command.at())),
              new DecideApproval.Outcome.TooLate(approval.request().due()));
      case ApprovalStatus.Waiting() -> decided(command, approval.request());
    };
  }

  private static Decision<DecideApproval.Outcome> decided(
      DecideApproval command, ApprovalRequested request) {
    return command.approved()
        ? new Decision<>(List.of(granted(command, request)), new DecideApproval.Outcome.Granted())
        : new Decision<>(
            List.of(rejected(command, request)), new DecideApproval.Outcome.Rejected());
  }

  private static ApprovalGranted granted(DecideApproval command, ApprovalRequested request) {
    return new ApprovalGranted(
        request.callId(),
        request.approvalId(),
        request.taskId(),
        command.operator(),
        command.reason(),
        command.at());
  }

  private static ApprovalRejected rejected(DecideApproval command, ApprovalRequested request) {
    return new ApprovalRejected(
        request.callId(),
        request.approvalId(),
        request.taskId(),
        command.operator(),
        command.reason(),
        command.at());
  }

  /** The event for a request that is due and was not decided by an operator. */
  public static ApprovalEvent deadlineEvent(ApprovalRequested request, Instant at) {
    return isApprovedOnTimeout(request)
        ? new ApprovalGranted(
            request.callId(), request.approvalId(), request.taskId(), null, null, at)
        : timedOut(request);
  }

  private static ApprovalTimedOut timedOut(ApprovalRequested request) {
    Instant due = request.due();
    return new ApprovalTimedOut(
        request.callId(),
        request.approvalId(),
        request.taskId(),
        due,
        Math.max(0, Duration.between(request.requestedAt(), due).toMillis()));
  }

  /**
   * Only at the deadline itself: a caller that stopped waiting earlier got an error response then.
   */
  private static boolean isApprovedOnTimeout(ApprovalRequested request) {
    return request.onTimeout() == OnTimeout.APPROVE && request.due().equals(request.deadline());
  }

  private static <R> Decision<R> nothing(R outcome) {
    return new Decision<>(List.of(), outcome);
  }
}
