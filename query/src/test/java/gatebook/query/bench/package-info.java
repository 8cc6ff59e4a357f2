/**
 * Benchmarks of the views: rebuilding them compared with a bare scan of the same rows, queries at
 * several sizes, and the delay of the views. No test runs them. Start with {@link
 * gatebook.query.bench.Bench}.
 */
@NullMarked
package gatebook.query.bench;

import org.jspecify.annotations.NullMarked;
