/**
 * HTTP to the sides behind us: one request, at most once, and what came of it. It knows no
 * JSON-RPC.
 */
@NullMarked
package gatebook.api.upstream.http;

import org.jspecify.annotations.NullMarked;
