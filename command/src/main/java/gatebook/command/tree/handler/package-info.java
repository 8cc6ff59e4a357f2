/** Handles the commands and queries about trees of tasks. */
@NullMarked
package gatebook.command.tree.handler;

import org.jspecify.annotations.NullMarked;
