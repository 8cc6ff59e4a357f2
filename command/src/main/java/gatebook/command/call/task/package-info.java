/** Calls whose callers get the outcome later. */
@NullMarked
package gatebook.command.call.task;

import org.jspecify.annotations.NullMarked;
