/** Runs trees of tasks: which task can run when, its attempts, its result and its end. */
@NullMarked
package gatebook.api.flow.run;

import org.jspecify.annotations.NullMarked;
