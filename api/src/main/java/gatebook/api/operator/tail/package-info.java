/** Streams recorded events to operators as they are recorded. */
@NullMarked
package gatebook.api.operator.tail;

import org.jspecify.annotations.NullMarked;
