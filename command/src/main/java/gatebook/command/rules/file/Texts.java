package gatebook.command.rules.file;

import gatebook.events.RulesActivated.PolicyText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What rules were read from, for the journal: as it was written, with the environment's values in
 * their places, and without what is secret.
 *
 * @param hash over the same texts with their secrets
 */
public record Texts(String hash, String rules, List<PolicyText> policies, @Nullable String schema) {
  public Texts {
    policies = List.copyOf(policies);
  }
}
