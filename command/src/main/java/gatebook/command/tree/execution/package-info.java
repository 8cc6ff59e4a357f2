/** Executions of trees of tasks, and their webhooks. */
@NullMarked
package gatebook.command.tree.execution;

import org.jspecify.annotations.NullMarked;
