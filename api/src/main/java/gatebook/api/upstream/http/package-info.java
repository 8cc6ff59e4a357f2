/** The HTTP client: connections, exchanges and response streams. */
@NullMarked
package gatebook.api.upstream.http;

import org.jspecify.annotations.NullMarked;
