/**
 * Messages and what surrounds them: callers, ids, traces, replies, and the handler of a dialect.
 */
@NullMarked
package gatebook.api.gateway.message;

import org.jspecify.annotations.NullMarked;
