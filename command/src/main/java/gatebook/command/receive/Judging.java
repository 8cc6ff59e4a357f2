package gatebook.command.receive;

import gatebook.command.gate.Asked;
import gatebook.command.gate.Gates;
import gatebook.command.gate.Way;
import gatebook.command.inspect.Inspections;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;

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
      case Way.Shut shut -> denied(shut);
      case Way.Open(var source, var rulings) ->
          inspected(asked, source, rules, new Judgement.Forward(source, rulings));
      // nobody waits for a notification, so nobody is asked about it
      case Way.Ask ask when isNotification ->
          denied(ask.unasked(asked, "a notification is never held"));
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

  private static Judgement denied(Way.Shut shut) {
    return new Judgement.Denied(
        shut.source(), shut.target(), shut.fault(), shut.reason(), shut.rulings());
  }
}
