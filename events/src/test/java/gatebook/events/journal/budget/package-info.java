/** Tests of daily budgets that nodes share. */
@NullMarked
package gatebook.events.journal.budget;

import org.jspecify.annotations.NullMarked;
