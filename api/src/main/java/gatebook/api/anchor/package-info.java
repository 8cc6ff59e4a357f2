/** Checkpoints for anchors, which keep them outside the journal. */
@NullMarked
package gatebook.api.anchor;

import org.jspecify.annotations.NullMarked;
