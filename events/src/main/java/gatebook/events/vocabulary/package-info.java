/**
 * The written form of events: stable names, versions, JSON, tags, and their configuration in Axon.
 */
@NullMarked
package gatebook.events.vocabulary;

import org.jspecify.annotations.NullMarked;
