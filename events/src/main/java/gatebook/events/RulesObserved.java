package gatebook.events;

import gatebook.events.RulesActivated.PolicyText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Candidate rules are observed: from now on they decide calls, too, without effect on any answer.
 * Recorded once for each hash. The texts are complete except for their secrets; {@code rulesHash}
 * is over the original texts, and every observed verdict names it.
 */
@Named(name = "RulesObserved", version = "1")
public record RulesObserved(
    String rulesHash,
    String rules,
    List<PolicyText> policies,
    @Nullable String schema,
    String engineVersion)
    implements Event {

  public RulesObserved {
    policies = List.copyOf(policies);
  }
}
