/**
 * What all benchmarks share: {@link gatebook.events.bench.Benchmarks} finds one by its name and
 * runs it. No test runs a benchmark.
 */
@NullMarked
package gatebook.events.bench;

import org.jspecify.annotations.NullMarked;
