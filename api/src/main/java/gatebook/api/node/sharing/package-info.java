/** Several processes on one data directory: one owns the journal, the others record through it. */
@NullMarked
package gatebook.api.node.sharing;

import org.jspecify.annotations.NullMarked;
