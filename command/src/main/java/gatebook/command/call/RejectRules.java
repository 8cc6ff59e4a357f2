package gatebook.command.call;

import gatebook.events.RulesRejected.Mistake;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Do not take changed rules.
 *
 * @param rulesHash of what could be read of them
 * @param activeHash of the rules that stay; absent when there are none
 */
public record RejectRules(String rulesHash, @Nullable String activeHash, List<Mistake> mistakes) {
  public RejectRules {
    mistakes = List.copyOf(mistakes);
  }
}
