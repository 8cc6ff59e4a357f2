package gatebook.command.redecide;

import gatebook.command.redecide.RecordedCall.RecordedDecision;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.call.Ruling;
import java.time.Instant;
import java.util.List;

/**
 * The resolution of a call before any source is asked: by gates, inspectors and, where one was
 * asked, a person.
 *
 * @param rulings of the gates that were asked first
 */
public record Resolution(DecisionOutcome outcome, Answer answer, List<Ruling> rulings) {

  public Resolution {
    rulings = List.copyOf(rulings);
  }

  /** What came of the request to a person. */
  public enum Answer {
    /** Nobody was asked. */
    NONE("", Effect.REFUSED),
    GRANTED("granted", Effect.ALLOWED_BY_PERSON),
    REJECTED("rejected", Effect.REFUSED),
    TIMED_OUT("timed out", Effect.REFUSED),
    GRANTED_AT_TIMEOUT("granted at the timeout", Effect.ALLOWED_BY_PERSON),
    /** Granted, and the gates ruled otherwise afterwards. */
    REFUSED_AFTERWARDS("granted, refused afterwards", Effect.REFUSED),
    /** The caller did not wait for an answer, or waits still. */
    OPEN("no answer", Effect.OPEN),
    /** Another person would be asked, or for longer: nobody knows the answer. */
    NOT_KNOWN("a person would be asked", Effect.NOT_KNOWN);

    private final String words;
    private final Effect effect;

    Answer(String words, Effect effect) {
      this.words = words;
      this.effect = effect;
    }
  }

  /** What the resolution means for the call. */
  public enum Effect {
    ALLOWED,
    ALLOWED_BY_PERSON,
    ANSWERED_HERE,
    REFUSED,
    OPEN,
    NOT_KNOWN
  }

  /** What the resolution means for the call. */
  public Effect effect() {
    return switch (outcome) {
      case DecisionOutcome.Forwarded _ -> Effect.ALLOWED;
      case DecisionOutcome.AnsweredHere _ -> Effect.ANSWERED_HERE;
      case DecisionOutcome.Held _ -> answer.effect;
      case DecisionOutcome.Denied _,
          DecisionOutcome.Withheld _,
          DecisionOutcome.NotDenied _,
          DecisionOutcome.Unservable _ ->
          Effect.REFUSED;
    };
  }

  /** The short form, also for programs. */
  public String summary() {
    return answer == Answer.NONE ? outcome.description() : outcome.summary() + ": " + answer.words;
  }

  /** The recorded resolution of a call with a decision. */
  public static Resolution recorded(RecordedCall call) {
    RecordedDecision first = call.decisions().getFirst();
    if (!(first.outcome() instanceof DecisionOutcome.Held) || call.approval() == null) {
      return new Resolution(withFault(first.outcome(), call), Answer.NONE, first.rulings());
    }
    return new Resolution(first.outcome(), recordedAnswer(call), first.rulings());
  }

  /** What no gate denied was refused afterwards, as a tool is whose task has a flaw. */
  private static DecisionOutcome withFault(DecisionOutcome outcome, RecordedCall call) {
    return call.error() == null
            || outcome instanceof DecisionOutcome.Denied
            || outcome instanceof DecisionOutcome.Withheld
        ? outcome
        : new DecisionOutcome.Unservable(call.error().fault().kind());
  }

  private static Answer recordedAnswer(RecordedCall call) {
    return switch (call.answer()) {
      case null -> Answer.OPEN;
      case ApprovalRejected _ -> Answer.REJECTED;
      case ApprovalTimedOut _ -> Answer.TIMED_OUT;
      case ApprovalRequested _ -> Answer.OPEN;
      case ApprovalGranted granted ->
          call.error() != null
              ? Answer.REFUSED_AFTERWARDS
              : granted.by() == null ? Answer.GRANTED_AT_TIMEOUT : Answer.GRANTED;
    };
  }

  /** The resolution under other rules of a call that no person decides. */
  public static Resolution of(Redecision redecision) {
    return new Resolution(redecision.outcome(), Answer.NONE, redecision.rulings());
  }

  /**
   * The resolution under other rules that ask a person: the recorded answer counts where the same
   * workflow asked, for the time that these rules give for an answer.
   *
   * @param keepsTasks whether a call can be held without a caller that waits
   */
  public static Resolution held(
      RecordedCall call, Redecision redecision, ApprovalWorkflow workflow, boolean keepsTasks) {
    return new Resolution(
        redecision.outcome(), answer(call, workflow, keepsTasks), redecision.rulings());
  }

  private static Answer answer(RecordedCall call, ApprovalWorkflow workflow, boolean keepsTasks) {
    ApprovalRequested request = call.approval();
    if (request == null
        || !request.workflow().equals(workflow.name())
        || (request.heldUntil() == null && !keepsTasks)) {
      return Answer.NOT_KNOWN;
    }
    Instant deadline = request.requestedAt().plusMillis(workflow.timeoutMillis());
    Instant waitsUntil = request.requestedAt().plusMillis(workflow.blockingMillis());
    boolean isLeftEarlier = request.heldUntil() != null && waitsUntil.isBefore(deadline);
    Instant due = isLeftEarlier ? waitsUntil : deadline;
    Answer atTimeout =
        workflow.onTimeout() == OnTimeout.APPROVE && !isLeftEarlier
            ? Answer.GRANTED_AT_TIMEOUT
            : Answer.TIMED_OUT;
    return switch (call.answer()) {
      case ApprovalGranted(_, _, _, var by, _, var at) when by != null ->
          at.isAfter(due) ? atTimeout : Answer.GRANTED;
      case ApprovalRejected(_, _, _, _, _, var at) -> at.isAfter(due) ? atTimeout : Answer.REJECTED;
      case ApprovalGranted _, ApprovalTimedOut _ ->
          due.isAfter(request.due()) ? Answer.NOT_KNOWN : atTimeout;
      case ApprovalRequested _ -> Answer.NOT_KNOWN;
      case null -> call.error() == null ? Answer.OPEN : Answer.NOT_KNOWN;
    };
  }

  /** The same, but refused when a gate was asked again after the approval. */
  public Resolution refusedAfterwards() {
    return new Resolution(outcome, Answer.REFUSED_AFTERWARDS, rulings);
  }
}
