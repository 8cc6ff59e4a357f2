package gatebook.api.serve;

import gatebook.api.operator.RulesInForce;
import gatebook.api.rules.ActiveRules;
import gatebook.api.rules.Standing;
import gatebook.command.rules.Workflow;
import java.util.List;
import java.util.Optional;

/** A node's rules, as operators ask about them. */
final class NodesRules implements RulesInForce {

  private final ActiveRules rules;

  NodesRules(ActiveRules rules) {
    this.rules = rules;
  }

  @Override
  public Optional<Shown> show() {
    return rules
        .shown()
        .map(shown ->
            new Shown(
                shown.hash(), shown.activatedAt(), shown.file(), shown.text(), shown.warnings()));
  }

  @Override
  public Checked check() {
    var checked = rules.check();
    return new Checked(checked.mistakes(), checked.warnings());
  }

  @Override
  public Optional<List<String>> hidden(String workflow) {
    return rules.get() instanceof Standing.InForce(var inForce)
        ? Optional.ofNullable(inForce.workflows().get(workflow)).map(Workflow::redactFields)
        : Optional.empty();
  }
}
