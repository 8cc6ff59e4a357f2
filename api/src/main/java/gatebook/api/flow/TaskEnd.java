package gatebook.api.flow;

import gatebook.events.tree.TreeStatus;
import org.jspecify.annotations.Nullable;

/**
 * The end of a task in one execution.
 *
 * @param status pending when it could not be run
 * @param result the JSON of its result; absent unless it is completed
 */
record TaskEnd(TreeStatus status, @Nullable String result) {}
