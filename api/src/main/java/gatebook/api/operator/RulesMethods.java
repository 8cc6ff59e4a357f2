package gatebook.api.operator;

import gatebook.api.operator.Method.Outcome;
import gatebook.command.rules.KnownOperator.Role;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** By what calls are decided. */
final class RulesMethods {
  private static final Set<Role> ADMINS = Set.of(Role.ADMIN);

  private final RulesInForce rules;

  RulesMethods(RulesInForce rules) {
    this.rules = rules;
  }

  List<Method> all() {
    return List.of(
        new Method(
            "rules.show",
            "The rules by which calls are decided now, without secrets.",
            List.of(),
            ADMINS,
            false,
            (_, _) -> Outcome.answered(rules.show())),
        new Method(
            "rules.check",
            "What is wrong with the rules file as it is now; nothing is changed.",
            List.of(),
            ADMINS,
            false,
            (_, _) -> Outcome.answered(checked(rules.check()))));
  }

  private static Map<String, Object> checked(RulesInForce.Checked checked) {
    return Map.of(
        "ok",
        checked.mistakes().isEmpty(),
        "mistakes",
        checked.mistakes(),
        "warnings",
        checked.warnings());
  }
}
