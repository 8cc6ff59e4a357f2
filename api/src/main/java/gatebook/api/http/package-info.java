/** HTTP servers, filters and server-sent events. */
@NullMarked
package gatebook.api.http;

import org.jspecify.annotations.NullMarked;
