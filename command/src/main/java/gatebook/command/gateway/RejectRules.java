package gatebook.command.gateway;

import gatebook.events.RulesRejected.Mistake;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rejects changed rules.
 *
 * @param rulesHash hash of what could be read of them
 * @param activeHash hash of the rules that stay active; absent when there are none
 */
public record RejectRules(String rulesHash, @Nullable String activeHash, List<Mistake> mistakes) {
  public RejectRules {
    mistakes = List.copyOf(mistakes);
  }
}
