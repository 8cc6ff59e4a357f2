package gatebook.api.operator.redecide;

import gatebook.command.redecide.DecisionOutcome;
import gatebook.command.redecide.RecordedCall;
import gatebook.command.redecide.RecordedCall.RecordedDecision;
import gatebook.command.redecide.Redecision;
import gatebook.command.redecide.Resolution;
import gatebook.command.redecide.Resolution.Answer;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.Rules;
import gatebook.events.ApprovalGranted;
import gatebook.events.CallReceived;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Misdirected.Unauthorized;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.Withheld.InspectionFailed;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Decides recorded calls by other rules than those that decided them: with the roles and attributes
 * that these rules give to the principal of that name, at the recorded time, and with the answer
 * that a person gave.
 */
final class CandidateDecider {

  private final Rules rules;

  CandidateDecider(Rules rules) {
    this.rules = rules;
  }

  /** The outcome of deciding. */
  sealed interface Result {
    record Decided(Resolution resolution, Redecision redecision) implements Result {}

    record Impossible(NotRedecidable why) implements Result {}
  }

  Result decide(RecordedCall recordedCall, CallRedecider callRedecider) {
    CallReceived received = Objects.requireNonNull(recordedCall.received());
    if (isByQuota(recordedCall)) {
      return new Result.Impossible(new NotRedecidable("quota", quotaSentence(recordedCall)));
    }
    Optional<Principal> principal = principal(received.principal());
    if (principal.isEmpty()) {
      return refused(received);
    }
    return switch (callRedecider.decide(rules, received.receivedAt(), principal.get())) {
      case CallRedecider.Result.Impossible(var why) -> new Result.Impossible(why);
      case CallRedecider.Result.Done(var redecision) ->
          resolved(recordedCall, callRedecider, redecision, principal.get());
    };
  }

  /** Of the principal of that name these rules say the roles and attributes, if they know it. */
  private Optional<Principal> principal(Principal recorded) {
    return recorded.name().equals(Principal.ANONYMOUS.name())
        ? Optional.of(recorded)
        : rules.principals().named(recorded.name());
  }

  private static Result refused(CallReceived received) {
    Refusal refusal =
        received.transport() == Transport.TREE ? Refusal.NOT_PERMITTED : Refusal.TOKEN_UNKNOWN;
    Redecision redecision = Redecision.refused(new Unauthorized(refusal));
    return new Result.Decided(Resolution.of(redecision), redecision);
  }

  private Result resolved(
      RecordedCall recordedCall,
      CallRedecider callRedecider,
      Redecision redecision,
      Principal principal) {
    Optional<Fault> fact = laterRefusal(recordedCall);
    if (isOpen(redecision) && fact.isPresent()) {
      Redecision refused =
          new Redecision(
              new DecisionOutcome.Unservable(fact.get().kind()),
              redecision.rulings(),
              fact.get(),
              redecision.readsArguments());
      return new Result.Decided(Resolution.of(refused), refused);
    }
    if (!(redecision.outcome() instanceof DecisionOutcome.Held(String name)) || name == null) {
      return new Result.Decided(Resolution.of(redecision), redecision);
    }
    ApprovalWorkflow workflow = Objects.requireNonNull(rules.workflows().get(name));
    Resolution resolution =
        Resolution.held(recordedCall, redecision, workflow, rules.recording().originals());
    return resolution.answer() == Answer.GRANTED
        ? askedAgain(
            recordedCall, callRedecider, new Result.Decided(resolution, redecision), principal)
        : new Result.Decided(resolution, redecision);
  }

  /** After the approval the gates are asked again, at the time at which they were. */
  private Result askedAgain(
      RecordedCall recordedCall,
      CallRedecider callRedecider,
      Result.Decided held,
      Principal principal) {
    return switch (callRedecider.decide(rules, timeAfterApproval(recordedCall), principal)) {
      case CallRedecider.Result.Impossible(var why) -> new Result.Impossible(why);
      case CallRedecider.Result.Done(var again) ->
          again.outcome().equals(held.redecision().outcome())
              ? held
              : new Result.Decided(held.resolution().refusedAfterwards(), held.redecision());
    };
  }

  private static Instant timeAfterApproval(RecordedCall recordedCall) {
    return recordedCall.decisions().stream()
        .skip(1)
        .map(RecordedDecision::at)
        .findFirst()
        .orElseGet(
            () -> ((ApprovalGranted) Objects.requireNonNull(recordedCall.answer())).decidedAt());
  }

  private static boolean isOpen(Redecision redecision) {
    return redecision.outcome() instanceof DecisionOutcome.Forwarded
        || redecision.outcome() instanceof DecisionOutcome.Held;
  }

  private static boolean isByQuota(RecordedCall recordedCall) {
    return recordedCall.error() != null
        && recordedCall.approval() == null
        && (recordedCall.error().fault() instanceof Misdirected.RateLimited
            || recordedCall.error().fault() instanceof ServerFault);
  }

  private static String quotaSentence(RecordedCall recordedCall) {
    return recordedCall.error() != null
            && recordedCall.error().fault()
                instanceof Misdirected.RateLimited(Misdirected.Limit limit, _)
        ? "the limit '%s' decided: it depends on other calls".formatted(limit.word())
        : "a quota of all calls or a full disk decided: it depends on other calls";
  }

  /**
   * Why the call was refused although no gate denied it and no inspector refused it: as a fact,
   * which is the same under other rules.
   */
  private static Optional<Fault> laterRefusal(RecordedCall recordedCall) {
    if (recordedCall.error() == null
        || recordedCall.approval() != null
        || recordedCall.decisions().isEmpty()) {
      return Optional.empty();
    }
    Fault fault = recordedCall.error().fault();
    return fault instanceof Denied || fault instanceof InspectionFailed
        ? Optional.empty()
        : Optional.of(fault);
  }
}
