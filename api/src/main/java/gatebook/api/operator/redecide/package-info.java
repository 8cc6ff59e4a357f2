/** Recorded calls decided again. */
@NullMarked
package gatebook.api.operator.redecide;

import org.jspecify.annotations.NullMarked;
