package gatebook.command.call;

import gatebook.events.AgentTaskCreated;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallEnd;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.CallerReplied;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.ResultKept;
import gatebook.events.SourceAsked;
import gatebook.events.TaskCreated;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one call, evolved from its events in their order.
 *
 * @param received absent for an unknown call
 * @param attempts how often the call was sent upstream
 * @param approval the newest approval request and its status
 * @param task absent when the caller waits for the response
 * @param result the parts of a task's result that are kept
 * @param endEvent absent while the call is open
 */
public record CallState(
    @Nullable CallReceived received,
    int attempts,
    @Nullable Approval approval,
    @Nullable TaskCreated task,
    List<ResultKept> result,
    @Nullable CallEnd endEvent) {

  /** The state before the first event. */
  public static final CallState EMPTY = new CallState(null, 0, null, null, List.of(), null);

  public CallState {
    result = List.copyOf(result);
  }

  /** How a call ended. */
  public enum End {
    ANSWERED,
    /** The caller got an error response, but no gate denied the call. */
    FAILED,
    /** The caller got an error response that names the gate. */
    DENIED,
    /** The message was not a call. */
    REFUSED,
    ABANDONED,
    ORPHANED
  }

  /** An approval request and its status. */
  public record Approval(ApprovalRequested request, ApprovalStatus status) {}

  /** The status of an approval request. */
  public sealed interface ApprovalStatus {
    record Waiting() implements ApprovalStatus {}

    record Granted(ApprovalGranted event) implements ApprovalStatus {}

    record Rejected(ApprovalRejected event) implements ApprovalStatus {}

    record TimedOut(ApprovalTimedOut event) implements ApprovalStatus {}
  }

  /** The name of the principal that called; absent for an unknown call. */
  public @Nullable String principal() {
    return received == null ? null : received.principal().name();
  }

  public boolean isForwarded() {
    return attempts > 0;
  }

  public boolean hasEnded() {
    return endEvent != null;
  }

  /** Absent while the call is open. */
  public @Nullable End end() {
    return switch (endEvent) {
      case null -> null;
      case CallAnswered _ -> End.ANSWERED;
      case ErrorTranslated(_, _, var fault, _, _, _, _, _) ->
          fault.gate().isPresent() ? End.DENIED : End.FAILED;
      case MessageRefused _ -> End.REFUSED;
      case CallAbandoned _ -> End.ABANDONED;
      case CallOrphaned _ -> End.ORPHANED;
    };
  }

  /** The state after one more event. */
  public CallState evolve(CallEvent event) {
    return switch (event) {
      case CallReceived call -> new CallState(call, attempts, approval, task, result, endEvent);
      case ApprovalRequested request -> with(new Approval(request, new ApprovalStatus.Waiting()));
      case ApprovalGranted granted -> with(new ApprovalStatus.Granted(granted));
      case ApprovalRejected rejected -> with(new ApprovalStatus.Rejected(rejected));
      case ApprovalTimedOut timedOut -> with(new ApprovalStatus.TimedOut(timedOut));
      case TaskCreated created ->
          new CallState(received, attempts, approval, created, result, endEvent);
      case ResultKept part -> with(part);
      // with several sources, the first attempt to each has number 1
      case CallForwarded forwarded ->
          new CallState(
              received, Math.max(attempts, forwarded.attempt()), approval, task, result, endEvent);
      case CallEnd end -> new CallState(received, attempts, approval, task, result, end);
      case CallAdmitted _, GateDenied _, SourceAsked _, CallerReplied _, AgentTaskCreated _ ->
          this; // a later event has the consequence
    };
  }

  private CallState with(Approval newApproval) {
    return new CallState(received, attempts, newApproval, task, result, endEvent);
  }

  /** A decision without a request changes nothing. */
  private CallState with(ApprovalStatus approvalStatus) {
    return approval == null ? this : with(new Approval(approval.request(), approvalStatus));
  }

  private CallState with(ResultKept part) {
    List<ResultKept> parts = new ArrayList<>(result);
    parts.add(part);
    return new CallState(received, attempts, approval, task, parts, endEvent);
  }
}
