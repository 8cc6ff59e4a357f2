/** Indexes of terms: in which calls, or in which blocks of calls, a term occurs. */
@NullMarked
package gatebook.query.terms;

import org.jspecify.annotations.NullMarked;
