package gatebook.api.operator;

import gatebook.api.operator.OperatorMethod.Outcome;
import gatebook.command.rules.KnownOperator.Role;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** By what calls are decided. */
final class RulesMethods {
  private static final Set<Role> ADMINS = Set.of(Role.ADMIN);

  private final RulesInForce rules;

  RulesMethods(RulesInForce rules) {
    this.rules = rules;
  }

  List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            "rules.show",
            "The rules by which calls are decided now, without secrets.",
            List.of(),
            ADMINS,
            false,
            (_, _) -> Outcome.answered(shown(rules.show()))),
        new OperatorMethod(
            "rules.check",
            "What is wrong with the rules file as it is now; nothing is changed.",
            List.of(),
            ADMINS,
            false,
            (_, _) -> Outcome.answered(checked(rules.check()))));
  }

  private static Map<String, Object> shown(Optional<RulesInForce.Shown> shown) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("inForce", shown.isPresent());
    shown.ifPresent(rules -> {
      members.put("hash", rules.hash());
      members.put("activatedAt", rules.activatedAt().toString());
      members.put("file", rules.file());
      members.put("text", rules.text());
      members.put("warnings", rules.warnings());
    });
    return members;
  }

  private static Map<String, Object> checked(RulesInForce.Checked checked) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("ok", checked.mistakes().isEmpty());
    result.put("mistakes", checked.mistakes());
    result.put("warnings", checked.warnings());
    return result;
  }
}
