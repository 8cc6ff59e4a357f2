/** Was the journal edited? Recomputed from its rows alone, with no private key. */
@NullMarked
package gatebook.query.verification;

import org.jspecify.annotations.NullMarked;
