/**
 * Proofs of the gateway's guarantees, with the product run as a process: what was forwarded or
 * answered is in the journal, even if the process is killed or its disk is full.
 */
@NullMarked
package gatebook.api.proof;

import org.jspecify.annotations.NullMarked;
