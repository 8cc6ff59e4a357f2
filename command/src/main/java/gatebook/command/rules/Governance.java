package gatebook.command.rules;

import gatebook.events.call.Action;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What gate 2 goes by: the first rule that matches, else the default. */
public record Governance(Action defaultAction, List<Rule> rules) {
  public Governance {
    rules = List.copyOf(rules);
  }

  /** Whether there is anything that a person may be asked about. */
  public boolean asks() {
    return defaultAction == Action.APPROVE || rules.stream().anyMatch(Rule::asks);
  }

  /**
   * One rule.
   *
   * @param place in the file, counted from 1
   * @param sources the ids it is for; empty for all
   * @param policyId what policies find in their context
   * @param workflow who is asked; absent where nobody is, or where there is only one
   * @param isPublic whether callers may be told the pattern
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

    /** Whether a person may be asked about what matches. */
    public boolean asks() {
      return action == Action.APPROVE || (action == Action.POLICY && workflow != null);
    }
  }
}
