/** The Merkle tree over the journal: one leaf per event, in the order of positions. */
@NullMarked
package gatebook.events.journal.tree;

import org.jspecify.annotations.NullMarked;
