package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.RulesInForce;
import gatebook.api.rpc.MemberType.Text;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The methods {@code rules.show} and {@code rules.check}. */
public final class RulesMethods {
  private static final Set<Role> ADMINS = Set.of(Role.ADMIN);

  private final RulesInForce rules;

  public RulesMethods(RulesInForce rules) {
    this.rules = rules;
  }

  public List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            "rules.show",
            "Shows the rules in force, without secrets.",
            List.of(),
            ADMINS,
            false,
            (_, _) -> Outcome.answered(rulesJson(rules.current()))),
        new OperatorMethod(
            "rules.check",
            "Checks the rules file as it is now, or a text that would replace it; changes nothing.",
            List.of(
                RequestMember.optional(
                        "text",
                        Text.ANY,
                        "The text to check instead of the file. Paths in it are relative to the"
                            + " file; it may name what the file names, and .cedar files in or below"
                            + " its folder. Only its size and a digest are recorded.")
                    .secret()),
            ADMINS,
            false,
            (callParams, _) -> Outcome.answered(checkJson(check(callParams)))));
  }

  private RulesInForce.CheckResult check(CallParams callParams) {
    return callParams.optionalText("text").map(rules::check).orElseGet(rules::check);
  }

  private static Map<String, Object> rulesJson(Optional<RulesInForce.CurrentRules> currentRules) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("inForce", currentRules.isPresent());
    currentRules.ifPresent(rules -> {
      members.put("hash", rules.hash());
      members.put("activatedAt", rules.activatedAt().toString());
      members.put("file", rules.file());
      members.put("text", rules.text());
      members.put("warnings", rules.warnings());
    });
    return members;
  }

  private static Map<String, Object> checkJson(RulesInForce.CheckResult checkResult) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("ok", checkResult.mistakes().isEmpty());
    result.put("mistakes", checkResult.mistakes());
    result.put("warnings", checkResult.warnings());
    return result;
  }
}
