/**
 * Verifies that the journal was not edited. Everything is recomputed from its rows, without a
 * private key.
 */
@NullMarked
package gatebook.query.verification;

import org.jspecify.annotations.NullMarked;
