package gatebook.api.node;

import gatebook.api.operator.RulesInForce;
import gatebook.api.rules.ActiveRules;
import gatebook.api.rules.RulesStatus;
import gatebook.command.rules.ApprovalWorkflow;
import java.util.List;
import java.util.Optional;

/** A node's rules, as operators ask about them. */
final class NodeRules implements RulesInForce {

  private final ActiveRules rules;

  NodeRules(ActiveRules rules) {
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
    var rulesCheck = rules.check();
    return new Checked(rulesCheck.mistakes(), rulesCheck.warnings());
  }

  @Override
  public Optional<List<String>> hidden(String workflow) {
    return rules.get() instanceof RulesStatus.InForce(var inForce)
        ? Optional.ofNullable(inForce.workflows().get(workflow)).map(ApprovalWorkflow::redactFields)
        : Optional.empty();
  }
}
