package gatebook.events.vocabulary;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Upgrades the JSON of one version of an event to the next version.
 *
 * <p>An upgrade is never changed once an event of the next version was written, because events of
 * the old version stay in the journal for ever.
 */
@FunctionalInterface
interface EventUpgrade {
  ObjectNode next(ObjectNode json);
}
