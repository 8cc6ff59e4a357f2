/** Anchors: places outside a journal that keep its checkpoints. */
@NullMarked
package gatebook.events.journal.anchor;

import org.jspecify.annotations.NullMarked;
