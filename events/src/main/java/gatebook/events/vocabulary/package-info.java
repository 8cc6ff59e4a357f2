/**
 * How events are written and read again: stable names, versions, JSON, tags, and Axon's view of
 * them.
 */
@NullMarked
package gatebook.events.vocabulary;

import org.jspecify.annotations.NullMarked;
