/** What is dropped of a journal for good, and what stays: start with {@code DropPlanner}. */
@NullMarked
package gatebook.events.journal.drop;

import org.jspecify.annotations.NullMarked;
