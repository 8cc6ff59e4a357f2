/** Daily budgets that the nodes of a shared database divide among them. */
@NullMarked
package gatebook.events.journal.budget;

import org.jspecify.annotations.NullMarked;
