package gatebook.command.call;

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
 * What the events of one call, in their order, come to.
 *
 * @param received absent for a call nobody has heard of
 * @param attempts how often it went upstream
 * @param approval the newest question put to a person about it
 * @param task absent when the caller waits for the answer
 * @param result what is kept of a task's result, part by part
 * @param ending absent while somebody may still be told something
 */
public record CallState(
    @Nullable CallReceived received,
    int attempts,
    @Nullable Approval approval,
    @Nullable TaskCreated task,
    List<ResultKept> result,
    @Nullable CallEnd ending) {

  /** Nothing has happened yet. */
  public static final CallState NOTHING = new CallState(null, 0, null, null, List.of(), null);

  public CallState {
    result = List.copyOf(result);
  }

  /** How a call ended. */
  public enum End {
    ANSWERED,
    /** Told an error, by no gate's doing. */
    FAILED,
    /** Told by which gate it was denied. */
    DENIED,
    /** It was no call. */
    REFUSED,
    ABANDONED,
    ORPHANED
  }

  /** A question put to a person, and where it stands. */
  public record Approval(ApprovalRequested asked, Standing standing) {}

  /** Where a question stands. */
  public sealed interface Standing {
    record Waiting() implements Standing {}

    record Granted(ApprovalGranted event) implements Standing {}

    record Rejected(ApprovalRejected event) implements Standing {}

    record TimedOut(ApprovalTimedOut event) implements Standing {}
  }

  public boolean forwarded() {
    return attempts > 0;
  }

  public boolean ended() {
    return ending != null;
  }

  /** Absent while somebody may still be told something. */
  public @Nullable End end() {
    return switch (ending) {
      case null -> null;
      case CallAnswered _ -> End.ANSWERED;
      case ErrorTranslated(_, _, var fault, _, _, _, _, _) ->
          fault.gate().isPresent() ? End.DENIED : End.FAILED;
      case MessageRefused _ -> End.REFUSED;
      case CallAbandoned _ -> End.ABANDONED;
      case CallOrphaned _ -> End.ORPHANED;
    };
  }

  /** The same call after one more event. */
  public CallState and(CallEvent event) {
    return switch (event) {
      case CallReceived call -> new CallState(call, attempts, approval, task, result, ending);
      case ApprovalRequested asked -> with(new Approval(asked, new Standing.Waiting()));
      case ApprovalGranted granted -> with(new Standing.Granted(granted));
      case ApprovalRejected rejected -> with(new Standing.Rejected(rejected));
      case ApprovalTimedOut timedOut -> with(new Standing.TimedOut(timedOut));
      case TaskCreated created ->
          new CallState(received, attempts, approval, created, result, ending);
      case ResultKept part -> with(part);
      // to each of several sources the first attempt is the first
      case CallForwarded forwarded ->
          new CallState(
              received, Math.max(attempts, forwarded.attempt()), approval, task, result, ending);
      case CallEnd end -> new CallState(received, attempts, approval, task, result, end);
      case CallAdmitted _, GateDenied _, SourceAsked _, CallerReplied _ ->
          this; // the event after it says what comes of it
    };
  }

  private CallState with(Approval newApproval) {
    return new CallState(received, attempts, newApproval, task, result, ending);
  }

  /** What decides a question that was never put decides nothing. */
  private CallState with(Standing standing) {
    return approval == null ? this : with(new Approval(approval.asked(), standing));
  }

  private CallState with(ResultKept part) {
    List<ResultKept> parts = new ArrayList<>(result);
    parts.add(part);
    return new CallState(received, attempts, approval, task, parts, ending);
  }
}
