/** Decisions about trees of tasks: what may be created, run, cancelled and deleted. */
@NullMarked
package gatebook.command.tree;

import org.jspecify.annotations.NullMarked;
