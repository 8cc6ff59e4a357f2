/** Values of events about trees of tasks. */
@NullMarked
package gatebook.events.tree;

import org.jspecify.annotations.NullMarked;
