package gatebook.command.receive;

import gatebook.command.gate.Asked;
import gatebook.command.gate.Gates;
import gatebook.command.gate.Way;
import gatebook.command.inspect.Inspections;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the gates, and the inspectors about what the gates let pass. A function of the call and the
 * rules: asked again with the same, it says the same.
 */
public final class Judging {

  private final Gates gates;
  private final Inspections inspections;

  public Judging(Gates gates, Inspections inspections) {
    this.gates = gates;
    this.inspections = inspections;
  }

  /** {@code isNotification} when nobody waits for an answer. */
  public Judgement of(Asked asked, boolean isNotification, Rules rules) {
    return switch (gates.way(asked, rules)) {
      case Way.Shut(var source, var target, var fault, var reason, var rulings) ->
          new Judgement.Denied(source, target, fault, reason, rulings);
      case Way.Open(var source, var rulings) ->
          inspected(asked, source, rules, new Judgement.Forward(source, rulings));
      case Way.Ask ask when isNotification -> notAsked(asked, ask);
      case Way.Ask(var source, var workflow, var rulings) ->
          inspected(asked, source, rules, new Judgement.Ask(source, workflow, rulings));
    };
  }

  private Judgement inspected(Asked asked, Source source, Rules rules, Judgement otherwise) {
    return inspections
        .of(asked, source, rules)
        .<Judgement>map(fault -> new Judgement.Withheld(source, fault, otherwise.rulings()))
        .orElse(otherwise);
  }

  /** Nobody waits for a notification, so nobody is asked about it. */
  private static Judgement notAsked(Asked asked, Way.Ask ask) {
    List<Ruling> rulings = new ArrayList<>(ask.rulings());
    rulings.add(
        new Ruling.Approval(
            new Verdict.Deny(DenialReason.NOT_ASKED, null), ask.workflow().name(), null, null, 0));
    Fault fault =
        new Denied.ApprovalRejected(
            asked.target(), null, "a notification is never held", ask.workflow().name());
    return new Judgement.Denied(
        ask.source(), asked.target(), fault, DenialReason.NOT_ASKED, rulings);
  }
}
