/** Signed statements of how far the journal goes and what its root is (C2SP checkpoints). */
@NullMarked
package gatebook.events.journal.checkpoint;

import org.jspecify.annotations.NullMarked;
