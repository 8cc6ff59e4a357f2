package gatebook.api.operator.redecide;

import gatebook.events.RulesActivated;
import java.util.Optional;

/** Finds the activations of rules in the journal. */
@FunctionalInterface
public interface RuleActivations {

  /** An activation of rules; {@code at} is RFC 3339, UTC. */
  record Activated(String at, RulesActivated rules) {}

  /** The newest activation of rules of this hash before a position. Reads and blocks. */
  Optional<Activated> byHash(String rulesHash, long before) throws InterruptedException;
}
