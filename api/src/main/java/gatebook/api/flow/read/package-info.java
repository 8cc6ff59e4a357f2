/**
 * Reads the requests of the task-flow protocol, as far as they can be checked without any state.
 */
@NullMarked
package gatebook.api.flow.read;

import org.jspecify.annotations.NullMarked;
