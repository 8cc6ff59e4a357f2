/** The port to upstreams: calls, results and sessions. */
@NullMarked
package gatebook.api.upstream;

import org.jspecify.annotations.NullMarked;
