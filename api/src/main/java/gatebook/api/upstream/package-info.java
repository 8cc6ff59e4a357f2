/** The interface to upstreams: calls, results, sessions and retries. */
@NullMarked
package gatebook.api.upstream;

import org.jspecify.annotations.NullMarked;
