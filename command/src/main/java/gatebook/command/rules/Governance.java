package gatebook.command.rules;

import gatebook.events.call.Action;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The governance rules, applied by gate 2: the first rule that matches decides, else the default.
 */
public record Governance(Action defaultAction, List<Rule> rules) {
  public Governance {
    rules = List.copyOf(rules);
  }

  /** Whether the default or any rule may require an approval. */
  public boolean mayRequireApproval() {
    return defaultAction == Action.APPROVE || rules.stream().anyMatch(Rule::mayRequireApproval);
  }

  /**
   * One rule.
   *
   * @param place its number in the file, counted from 1
   * @param sources the ids of the sources it applies to; empty for all
   * @param policyId the {@code policy_id} in the context of policies
   * @param workflow the name of the approval workflow; null when the rule names none and none is
   *     implied
   * @param isPublic whether error responses may contain the pattern
   */
  public record Rule(
      int place,
      Glob match,
      Action action,
      Set<String> sources,
      @Nullable String policyId,
      @Nullable String workflow,
      boolean isPublic) {
    public Rule {
      sources = Set.copyOf(sources);
    }

    /**
     * Whether the rule is for this name of this source. A rule that denies or asks a person also
     * sees the name normalised.
     *
     * @param normalised see {@link NormalisedName#of}
     */
    public boolean matches(String source, String name, String normalised) {
      return isFor(source)
          && switch (action) {
            case DENY, APPROVE -> match.matchesEither(name, normalised);
            case FORWARD, POLICY -> match.matches(name);
          };
    }

    /** Whether the rule is for this source. */
    public boolean isFor(String source) {
      return sources.isEmpty() || sources.contains(source);
    }

    /** Whether a call that matches may require an approval. */
    public boolean mayRequireApproval() {
      return action == Action.APPROVE || (action == Action.POLICY && workflow != null);
    }
  }
}
