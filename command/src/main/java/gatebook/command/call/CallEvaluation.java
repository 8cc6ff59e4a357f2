package gatebook.command.call;

import gatebook.command.gate.GateChain;
import gatebook.command.gate.GateInput;
import gatebook.command.gate.GateOutcome;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;

/**
 * Asks the gates, and the inspectors about what the gates let pass. A function of the call and the
 * rules: asked again with the same, it says the same.
 */
public final class CallEvaluation {

  private final GateChain gateChain;
  private final InspectorChain inspectorChain;

  public CallEvaluation(GateChain gateChain, InspectorChain inspectorChain) {
    this.gateChain = gateChain;
    this.inspectorChain = inspectorChain;
  }

  /** {@code isNotification} when nobody waits for an answer. */
  public CallVerdict of(GateInput gateInput, boolean isNotification, Rules rules) {
    return switch (gateChain.way(gateInput, rules)) {
      case GateOutcome.Shut shut -> denied(shut);
      case GateOutcome.Open(var source, var rulings) ->
          inspected(gateInput, source, rules, new CallVerdict.Forward(source, rulings));
      // nobody waits for a notification, so nobody is asked about it
      case GateOutcome.Ask ask when isNotification ->
          denied(ask.unasked(gateInput, "a notification is never held"));
      case GateOutcome.Ask(var source, var approvalWorkflow, var rulings) ->
          inspected(
              gateInput, source, rules, new CallVerdict.Ask(source, approvalWorkflow, rulings));
    };
  }

  private CallVerdict inspected(
      GateInput gateInput, Source source, Rules rules, CallVerdict otherwise) {
    return inspectorChain
        .of(gateInput, source, rules)
        .<CallVerdict>map(fault -> new CallVerdict.Withheld(source, fault, otherwise.rulings()))
        .orElse(otherwise);
  }

  private static CallVerdict denied(GateOutcome.Shut shut) {
    return new CallVerdict.Denied(
        shut.source(), shut.target(), shut.fault(), shut.reason(), shut.rulings());
  }
}
