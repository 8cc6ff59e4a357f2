/** Errors and denials: what goes wrong, which gate denied, how often, and since when. */
@NullMarked
package gatebook.query.errors;

import org.jspecify.annotations.NullMarked;
