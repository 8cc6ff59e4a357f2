/** Trees of tasks: their state, their tasks, and the calls of each task. */
@NullMarked
package gatebook.query.trees;

import org.jspecify.annotations.NullMarked;
