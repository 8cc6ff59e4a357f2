/**
 * Witnesses, as C2SP has them, cosign the checkpoints of logs that only grow: those of this log,
 * and this node as one of other logs.
 */
@NullMarked
package gatebook.events.journal.witness;

import org.jspecify.annotations.NullMarked;
