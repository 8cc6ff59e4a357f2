/**
 * The benchmark of the journal, beside the bare engine and Axon's own engines; no test runs it.
 * Start with {@link gatebook.events.journal.bench.Bench}.
 */
@NullMarked
package gatebook.events.journal.bench;

import org.jspecify.annotations.NullMarked;
