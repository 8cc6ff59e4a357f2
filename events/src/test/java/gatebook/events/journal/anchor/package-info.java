/** Tests of anchors. */
@NullMarked
package gatebook.events.journal.anchor;

import org.jspecify.annotations.NullMarked;
