/** Proofs that events are in the journal, which can be checked without it. */
@NullMarked
package gatebook.query.proof;

import org.jspecify.annotations.NullMarked;
