package gatebook.command.rules;

import gatebook.command.policy.Policies;
import java.util.List;
import java.util.Map;

/**
 * The rules of one moment, complete and without a mistake.
 *
 * @param hash over the texts they were read from, as {@code sha256:} and hex digits
 * @param workflows by name
 * @param inspectors the names of those who look at every governed call that would go on
 */
public record Rules(
    String hash,
    List<Source> sources,
    Governance governance,
    Map<String, Workflow> workflows,
    Policies policies,
    List<String> inspectors,
    List<KnownPrincipal> principals,
    List<KnownOperator> operators,
    Redaction redaction,
    Keeping keeping,
    Limits limits) {
  public Rules {
    sources = List.copyOf(sources);
    workflows = Map.copyOf(workflows);
    inspectors = List.copyOf(inspectors);
    principals = List.copyOf(principals);
    operators = List.copyOf(operators);
  }
}
