/**
 * Whole nodes in which each error is provoked, and what callers, log, counters and events have of
 * it.
 */
@NullMarked
package gatebook.api.node.error;

import org.jspecify.annotations.NullMarked;
