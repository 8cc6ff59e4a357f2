package gatebook.command.redecide;

import gatebook.command.call.CallEvaluation;
import gatebook.command.call.CallVerdict;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.gate.GateChain;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Rules;
import gatebook.events.CallReceived;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Withheld.InspectionFailed;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Redecides a recorded call as it was decided on receipt. A pure function of the call and the
 * rules: what was a fact then (how many calls were held, what a person or a source said) plays no
 * part.
 */
public final class CallRedecision {

  private final CallEvaluation callEvaluation;

  public CallRedecision(CallEvaluation callEvaluation) {
    this.callEvaluation = callEvaluation;
  }

  /**
   * A redecision by the built-in gates and inspectors.
   *
   * @param scrubbers the scrubber of recorded rules, which are needed seldom
   */
  public static CallRedecision of(Function<Rules, Scrubber> scrubbers) {
    return new CallRedecision(
        new CallEvaluation(new GateChain(System::nanoTime), new InspectorChain(scrubbers)));
  }

  /**
   * The command that the recorded call was on receipt.
   *
   * @param principal whose roles and attributes the gates see
   * @param at when the gates are asked
   */
  public static ReceiveCall receiveCommand(
      CallReceived call,
      Principal principal,
      Intent intent,
      @Nullable String params,
      @Nullable String arguments,
      Instant at,
      Rules rules) {
    return new ReceiveCall(
        call.callId(),
        call.correlationId(),
        call.traceId(),
        new DialectVersion(call.dialect(), call.dialectVersion()),
        call.transport(),
        at,
        call.method(),
        call.rpcId(),
        principal,
        intent,
        params,
        arguments,
        null,
        rules.hash(),
        null,
        call.agent(),
        List.of());
  }

  public Redecision decide(ReceiveCall call, Rules rules) {
    return switch (call.intent()) {
      case Intent.Act act -> act(call, act, rules);
      case Intent.AnswerHere() ->
          new Redecision(new DecisionOutcome.AnsweredHere(), List.of(), null, false);
      case Intent.Unservable(var fault) -> Redecision.refused(fault);
    };
  }

  private Redecision act(ReceiveCall call, Intent.Act act, Rules rules) {
    CallVerdict callVerdict = callEvaluation.evaluate(call, act, rules);
    return new Redecision(
        outcome(callVerdict),
        callVerdict.rulings(),
        fault(callVerdict),
        readsArguments(callVerdict, rules));
  }

  private static DecisionOutcome outcome(CallVerdict callVerdict) {
    return switch (callVerdict) {
      case CallVerdict.Allowed(var source, _) -> new DecisionOutcome.Forwarded(source.id());
      case CallVerdict.NeedsApproval(_, var approvalWorkflow, _) ->
          new DecisionOutcome.Held(approvalWorkflow.name());
      case CallVerdict.Denied(_, _, _, var reason, var rulings) ->
          new DecisionOutcome.Denied(rulings.getLast().gate(), reason);
      case CallVerdict.Withheld(_, var fault, _) -> withheld(fault);
    };
  }

  private static @Nullable Fault fault(CallVerdict callVerdict) {
    return switch (callVerdict) {
      case CallVerdict.Denied denied -> denied.fault();
      case CallVerdict.Withheld withheld -> withheld.fault();
      case CallVerdict.Allowed _, CallVerdict.NeedsApproval _ -> null;
    };
  }

  private static DecisionOutcome withheld(Fault fault) {
    return fault instanceof InspectionFailed(var inspector, _)
        ? new DecisionOutcome.Withheld(inspector)
        : new DecisionOutcome.Unservable(fault.kind());
  }

  /** Policies may read arguments, and inspectors do. */
  private static boolean readsArguments(CallVerdict callVerdict, Rules rules) {
    boolean inspected =
        !(callVerdict instanceof CallVerdict.Denied) && !rules.inspectors().isEmpty();
    return inspected || callVerdict.rulings().stream().anyMatch(Ruling.Policy.class::isInstance);
  }
}
