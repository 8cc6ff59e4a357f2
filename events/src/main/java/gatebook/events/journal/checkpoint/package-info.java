/** Signed checkpoints: statements of the journal's size and root, in the C2SP format. */
@NullMarked
package gatebook.events.journal.checkpoint;

import org.jspecify.annotations.NullMarked;
