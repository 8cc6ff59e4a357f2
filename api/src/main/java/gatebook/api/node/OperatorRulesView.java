package gatebook.api.node;

import gatebook.api.operator.rpc.RulesInForce;
import gatebook.api.rules.ActiveRules;
import gatebook.api.rules.RulesCheck;
import gatebook.api.rules.RulesStatus;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.file.RulesFile.Reading;
import java.util.List;
import java.util.Optional;

/** The view that operators have of the rules in force. */
final class OperatorRulesView implements RulesInForce {

  private final ActiveRules rules;

  OperatorRulesView(ActiveRules rules) {
    this.rules = rules;
  }

  @Override
  public Optional<CurrentRules> current() {
    return rules
        .details()
        .map(rulesDetails ->
            new CurrentRules(
                rulesDetails.hash(),
                rulesDetails.activatedAt(),
                rulesDetails.file(),
                rulesDetails.text(),
                rulesDetails.warnings()));
  }

  @Override
  public CheckResult check() {
    return result(rules.check());
  }

  @Override
  public CheckResult check(String candidate) {
    return result(rules.check(candidate));
  }

  @Override
  public Reading read(Candidate candidate) {
    return rules.read(candidate.text(), candidate.files(), candidate.mayReadNode());
  }

  private static CheckResult result(RulesCheck rulesCheck) {
    return new CheckResult(rulesCheck.mistakes(), rulesCheck.warnings());
  }

  @Override
  public Optional<List<String>> hiddenFields(String workflow) {
    return rules.get() instanceof RulesStatus.InForce(var inForce)
        ? Optional.ofNullable(inForce.workflows().get(workflow)).map(ApprovalWorkflow::redactFields)
        : Optional.empty();
  }
}
