package gatebook.command.rules;

import gatebook.command.policy.Policies;
import gatebook.events.call.Action;
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

  /** No rules at all: nothing is let through. */
  public static final Rules NONE =
      new Rules(
          "none",
          List.of(),
          new Governance(Action.DENY, List.of()),
          Map.of(),
          Policies.NONE,
          List.of(),
          List.of(),
          List.of(),
          Redaction.DEFAULT,
          Keeping.DEFAULT,
          Limits.DEFAULT);

  public Rules {
    sources = List.copyOf(sources);
    workflows = Map.copyOf(workflows);
    inspectors = List.copyOf(inspectors);
    principals = List.copyOf(principals);
    operators = List.copyOf(operators);
  }
}
