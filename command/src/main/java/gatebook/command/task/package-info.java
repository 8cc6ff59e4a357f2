/** What becomes of calls whose callers come back for the outcome, and what they are told then. */
@NullMarked
package gatebook.command.task;

import org.jspecify.annotations.NullMarked;
