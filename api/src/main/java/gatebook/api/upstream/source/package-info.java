/** Upstreams made from the sources of the rules. */
@NullMarked
package gatebook.api.upstream.source;

import org.jspecify.annotations.NullMarked;
