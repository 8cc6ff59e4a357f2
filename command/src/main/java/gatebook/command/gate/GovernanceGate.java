package gatebook.command.gate;

import gatebook.command.rules.Governance;
import gatebook.command.rules.Governance.Rule;
import gatebook.command.rules.NormalisedName;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gate 2, governance: the first rule that is for the source and matches the name decides, else the
 * default action.
 */
public final class GovernanceGate {

  /** The policy id that policies see, and the name of the workflow, where no rule names one. */
  public static final String DEFAULT = "default";

  private GovernanceGate() {}

  /**
   * The result of the gate.
   *
   * @param rule the rule that matched; absent where the default action decided
   */
  public record GovernanceResult(Verdict verdict, Action action, @Nullable Rule rule) {

    /** The policy id that policies see. */
    public String policyId() {
      return rule == null || rule.policyId() == null ? DEFAULT : rule.policyId();
    }

    /** This result as a ruling that took the given time. */
    public Ruling.Governance ruling(long tookMicros) {
      return rule == null
          ? new Ruling.Governance(verdict, action, null, null, tookMicros)
          : new Ruling.Governance(
              verdict, action, rule.place(), rule.match().pattern(), tookMicros);
    }
  }

  /**
   * Evaluates the gate for a name.
   *
   * @param name as the source itself knows it
   * @param workflows the names of all workflows; where there is only one, rules need not name it
   */
  public static GovernanceResult evaluate(
      String source, String name, Governance governance, Set<String> workflows) {
    String normalised = NormalisedName.of(name);
    for (Rule rule : governance.rules()) {
      if (rule.matches(source, name, normalised)) {
        return new GovernanceResult(verdict(rule.action(), rule, workflows), rule.action(), rule);
      }
    }
    Action action = governance.defaultAction();
    return new GovernanceResult(verdict(action, null, workflows), action, null);
  }

  private static Verdict verdict(Action action, @Nullable Rule rule, Set<String> workflows) {
    return switch (action) {
      case FORWARD -> new Verdict.Forward();
      case APPROVE -> new Verdict.Ask(workflow(rule, workflows));
      case POLICY -> new Verdict.Pass();
      case DENY ->
          new Verdict.Deny(rule == null ? DenialReason.DEFAULT_ACTION : DenialReason.RULE, null);
    };
  }

  private static String workflow(@Nullable Rule rule, Set<String> workflows) {
    if (rule != null && rule.workflow() != null) {
      return rule.workflow();
    }
    return workflows.size() == 1 ? workflows.iterator().next() : DEFAULT;
  }
}
