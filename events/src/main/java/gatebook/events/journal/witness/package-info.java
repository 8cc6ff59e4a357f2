/** A witness of other logs: cosigns their checkpoints while they only grow, as C2SP asks. */
@NullMarked
package gatebook.events.journal.witness;

import org.jspecify.annotations.NullMarked;
