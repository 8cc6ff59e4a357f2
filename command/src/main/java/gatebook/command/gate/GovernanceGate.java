package gatebook.command.gate;

import gatebook.command.rules.Governance;
import gatebook.command.rules.Governance.Rule;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gate 2: the first rule that is for the source and matches the name decides, else the default. */
public final class GovernanceGate {

  /** What policies find as the policy id, and who is asked, where no rule names any. */
  public static final String DEFAULT = "default";

  private GovernanceGate() {}

  /**
   * What the gate decided.
   *
   * @param rule what matched; absent where the default decided
   */
  public record Governed(Verdict verdict, Action action, @Nullable Rule rule) {

    /** What policies are told asked them. */
    public String policyId() {
      return rule == null || rule.policyId() == null ? DEFAULT : rule.policyId();
    }

    /** This as a ruling that took so long. */
    public Ruling.Governance ruling(long tookMicros) {
      return rule == null
          ? new Ruling.Governance(verdict, action, null, null, tookMicros)
          : new Ruling.Governance(
              verdict, action, rule.place(), rule.match().pattern(), tookMicros);
    }
  }

  /**
   * What becomes of a name.
   *
   * @param name as the source itself knows it
   * @param workflows the names of all there are; where there is only one, rules need not name it
   */
  public static Governed of(
      String source, String name, Governance governance, Set<String> workflows) {
    for (Rule rule : governance.rules()) {
      if (isFor(rule, source) && rule.match().matches(name)) {
        return new Governed(verdict(rule.action(), rule, workflows), rule.action(), rule);
      }
    }
    Action action = governance.defaultAction();
    return new Governed(verdict(action, null, workflows), action, null);
  }

  private static boolean isFor(Rule rule, String source) {
    return rule.sources().isEmpty() || rule.sources().contains(source);
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
