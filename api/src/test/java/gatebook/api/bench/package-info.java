/**
 * The benchmark of the gateway, compared with a bare server and a plain proxy. No test runs it.
 * Start with {@link gatebook.api.bench.Bench}.
 */
@NullMarked
package gatebook.api.bench;

import org.jspecify.annotations.NullMarked;
