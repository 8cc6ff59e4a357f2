/**
 * Agents upstream: whose their tasks and contexts are, and how messages to them are repeated,
 * mapped and passed on.
 */
@NullMarked
package gatebook.api.a2a.upstream;

import org.jspecify.annotations.NullMarked;
