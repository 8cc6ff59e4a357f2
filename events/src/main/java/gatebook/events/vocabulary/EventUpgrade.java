package gatebook.events.vocabulary;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Turns the JSON of one version of an event into that of the next.
 *
 * <p>A hop is never changed once an event of the next version was written: what it reads is kept
 * for ever.
 */
@FunctionalInterface
interface EventUpgrade {
  ObjectNode next(ObjectNode json);
}
