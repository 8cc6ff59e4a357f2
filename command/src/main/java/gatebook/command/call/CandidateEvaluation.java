package gatebook.command.call;

import gatebook.command.gate.GateInput;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Candidate;
import gatebook.command.rules.Rules;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Gate;
import gatebook.events.call.ObservedVerdict;
import gatebook.events.call.ObservedVerdict.Outcome;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Withheld.InspectionFailed;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates a call by the candidate that its rules observe. It takes no quota and asks nobody, and
 * whatever happens here changes nothing in the answer: a candidate that cannot decide has a verdict
 * that says so.
 */
public final class CandidateEvaluation {

  /** The reason when the candidate's files have mistakes. */
  static final String BROKEN = "broken";

  /** The reason when deciding failed by an exception. */
  static final String EXCEPTION = "exception";

  private final CallEvaluation callEvaluation;
  private final Supplier<Scrubber> names;

  /** {@code names} supplies the scrubber of names that are recorded. */
  public CandidateEvaluation(CallEvaluation callEvaluation, Supplier<Scrubber> names) {
    this.callEvaluation = callEvaluation;
    this.names = names;
  }

  /**
   * The candidate's verdict on a call with this intent; null where none is observed.
   *
   * @param gateInput what the gates are asked about the call
   */
  public @Nullable ObservedVerdict evaluate(
      GateInput gateInput, ReceiveCall call, Intent.Act act, Rules rules) {
    Candidate candidate = rules.observed();
    if (candidate == null) {
      return null;
    }
    if (candidate.rules() == null) {
      return ObservedVerdict.failed(candidate.hash(), BROKEN, null);
    }
    try {
      return evaluate(gateInput, call, act, candidate.hash(), candidate.rules());
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      return ObservedVerdict.failed(
          candidate.hash(), EXCEPTION, List.of(e.getClass().getSimpleName()));
    }
  }

  private ObservedVerdict evaluate(
      GateInput gateInput, ReceiveCall call, Intent.Act act, String hash, Rules candidate) {
    Optional<Principal> principal = candidate.principals().known(call.principal());
    if (principal.isEmpty()) {
      return denied(
          hash,
          null,
          List.of(),
          ObservedVerdict.PRINCIPAL_UNKNOWN,
          gateInput.targetSummary(),
          call.principal());
    }
    CallVerdict verdict =
        callEvaluation.evaluate(gateInput.with(principal.get()), call, act, candidate);
    List<Ruling> rulings = verdict.rulings();
    return switch (verdict) {
      case CallVerdict.Allowed _ -> plain(hash, Outcome.WOULD_FORWARD, rulings, null, null);
      case CallVerdict.NeedsApproval(_, var workflow, _) ->
          plain(hash, Outcome.WOULD_ASK, rulings, null, workflow.name());
      case CallVerdict.Withheld(_, var fault, _) ->
          plain(hash, Outcome.WOULD_WITHHOLD, rulings, word(fault), null);
      case CallVerdict.Denied denied when denied.reason() == DenialReason.POLICY_ERROR ->
          plain(hash, Outcome.FAILED, rulings, denied.reason().word(), null);
      case CallVerdict.Denied denied ->
          denied(
              hash,
              rulings.getLast().gate(),
              rulings,
              denied.reason().word(),
              denied.target(),
              call.principal());
    };
  }

  private static String word(Fault fault) {
    return fault instanceof InspectionFailed(var inspector, _) ? inspector : fault.kind();
  }

  private static ObservedVerdict plain(
      String hash,
      Outcome outcome,
      List<Ruling> rulings,
      @Nullable String reason,
      @Nullable String workflow) {
    return new ObservedVerdict(
        hash,
        outcome,
        rulings.getLast().gate(),
        rule(rulings),
        policies(rulings),
        reason,
        errors(rulings),
        workflow,
        null,
        null);
  }

  private ObservedVerdict denied(
      String hash,
      @Nullable Gate gate,
      List<Ruling> rulings,
      String reason,
      String target,
      Principal principal) {
    return new ObservedVerdict(
        hash,
        Outcome.WOULD_DENY,
        gate,
        rule(rulings),
        policies(rulings),
        reason,
        null,
        null,
        names.get().scrub(target),
        principal.name());
  }

  /** The rule of the last target that the gates were asked about. */
  private static @Nullable Integer rule(List<Ruling> rulings) {
    for (Ruling ruling : rulings.reversed()) {
      if (ruling instanceof Ruling.Governance governance) {
        return governance.rule();
      }
    }
    return null;
  }

  private static @Nullable List<String> policies(List<Ruling> rulings) {
    return !rulings.isEmpty()
            && rulings.getLast() instanceof Ruling.Policy policy
            && policy.errors().isEmpty()
            && !policy.reasons().isEmpty()
        ? policy.reasons()
        : null;
  }

  /** Why the policies could not be evaluated: which failed, or that none could be asked. */
  private static @Nullable List<String> errors(List<Ruling> rulings) {
    return rulings.getLast() instanceof Ruling.Policy policy
            && policy.verdict() instanceof Verdict.Deny(var reason, var detail)
            && reason == DenialReason.POLICY_ERROR
        ? policy.errors().isEmpty() && detail != null ? List.of(detail) : policy.errors()
        : null;
  }
}
