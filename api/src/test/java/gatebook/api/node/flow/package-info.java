/**
 * Whole nodes, called through the task-flow protocol: trees of tasks, their runs, limits, links and
 * webhooks.
 */
@NullMarked
package gatebook.api.node.flow;

import org.jspecify.annotations.NullMarked;
