package gatebook.events;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * New rules were activated: they decide from now on. The texts are complete except for their
 * secrets, so that every later decision can be redecided; {@code rulesHash} is over the original
 * texts, and every call names it.
 */
@Named(name = "RulesActivated", version = "1")
public record RulesActivated(
    String rulesHash,
    String rules,
    List<PolicyText> policies,
    @Nullable String schema,
    String engineVersion)
    implements Event {

  public RulesActivated {
    policies = List.copyOf(policies);
  }

  /** One file of Cedar policies. */
  public record PolicyText(String file, String text) {}
}
