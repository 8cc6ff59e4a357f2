package gatebook.api.operator.redecide;

import gatebook.events.RulesActivated;
import java.util.Optional;

/** Which rules have been in force. */
@FunctionalInterface
public interface RuleActivations {

  /** Rules as they came into force; {@code at} is RFC 3339, UTC. */
  record Activated(String at, RulesActivated rules) {}

  /** The newest activation of rules of this hash before a position; reads and blocks. */
  Optional<Activated> byHash(String rulesHash, long before);
}
