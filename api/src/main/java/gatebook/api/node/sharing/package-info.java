/** Sharing one data directory: one process owns the journal, the others record through it. */
@NullMarked
package gatebook.api.node.sharing;

import org.jspecify.annotations.NullMarked;
