package gatebook.command.call;

import gatebook.command.gate.GateChain;
import gatebook.command.gate.GateInput;
import gatebook.command.gate.GateOutcome;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.fault.Fault;

/**
 * Evaluates a call: asks the gates, then, about calls that these allow, the inspectors. A pure
 * function of the call and the rules: the same input gives the same verdict.
 */
public final class CallEvaluation {

  private final GateChain gateChain;
  private final InspectorChain inspectorChain;

  public CallEvaluation(GateChain gateChain, InspectorChain inspectorChain) {
    this.gateChain = gateChain;
    this.inspectorChain = inspectorChain;
  }

  /** The verdict on a call with this intent. */
  public CallVerdict evaluate(ReceiveCall call, Intent.Act act, Rules rules) {
    return evaluate(call.gateInput(act), call, act, rules);
  }

  /** The verdict on this input of the gates, which may have another principal than the call. */
  public CallVerdict evaluate(GateInput gateInput, ReceiveCall call, Intent.Act act, Rules rules) {
    CallVerdict verdict = evaluate(gateInput, call.isNotification(), rules);
    Fault flaw = act.flaw();
    return flaw == null ? verdict : withheld(verdict, flaw);
  }

  /** A denial comes first and is counted; no operator is asked to approve a flaw. */
  private static CallVerdict withheld(CallVerdict verdict, Fault flaw) {
    return switch (verdict) {
      case CallVerdict.Denied _, CallVerdict.Withheld _ -> verdict;
      case CallVerdict.Allowed(var source, var rulings) ->
          new CallVerdict.Withheld(source, flaw, rulings);
      case CallVerdict.NeedsApproval(var source, _, var rulings) ->
          new CallVerdict.Withheld(source, flaw, rulings);
    };
  }

  private CallVerdict evaluate(GateInput gateInput, boolean isNotification, Rules rules) {
    return switch (gateChain.evaluate(gateInput, rules)) {
      case GateOutcome.Denied denied -> denied(denied);
      case GateOutcome.Allowed(var source, var rulings) ->
          inspect(gateInput, source, rules, new CallVerdict.Allowed(source, rulings));
      // a notification gets no response, so it never waits for an approval
      case GateOutcome.NeedsApproval needsApproval when isNotification ->
          denied(needsApproval.denied(gateInput, "a notification is never held"));
      case GateOutcome.NeedsApproval(var source, var approvalWorkflow, var rulings) ->
          inspect(
              gateInput,
              source,
              rules,
              new CallVerdict.NeedsApproval(source, approvalWorkflow, rulings));
    };
  }

  private CallVerdict inspect(
      GateInput gateInput, Source source, Rules rules, CallVerdict ifClean) {
    return inspectorChain
        .inspect(gateInput, source, rules)
        .<CallVerdict>map(fault -> new CallVerdict.Withheld(source, fault, ifClean.rulings()))
        .orElse(ifClean);
  }

  private static CallVerdict denied(GateOutcome.Denied denied) {
    return new CallVerdict.Denied(
        denied.source(), denied.target(), denied.fault(), denied.reason(), denied.rulings());
  }
}
