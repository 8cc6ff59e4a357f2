/**
 * Loads on running servers, and what is read of their processes, for benchmarks: Gatebook as users
 * start it, a bare server and a plain proxy beside it.
 */
@NullMarked
package gatebook.api.load;

import org.jspecify.annotations.NullMarked;
