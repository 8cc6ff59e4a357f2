/** The life of a call, from its bytes to its answer, whatever it came by. */
@NullMarked
package gatebook.api.border;

import org.jspecify.annotations.NullMarked;
