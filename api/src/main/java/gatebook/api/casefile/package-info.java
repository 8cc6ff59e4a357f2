/**
 * The case file: the events of one call or tree with their proofs, in one file for other people.
 */
@NullMarked
package gatebook.api.casefile;

import org.jspecify.annotations.NullMarked;
