/** The task-flow protocol, as far as it is served. */
@NullMarked
package gatebook.api.flow;

import org.jspecify.annotations.NullMarked;
