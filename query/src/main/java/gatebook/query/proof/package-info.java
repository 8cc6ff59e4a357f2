/** Proofs that events are in the journal, which a stranger can check without it. */
@NullMarked
package gatebook.query.proof;

import org.jspecify.annotations.NullMarked;
