/**
 * What the journal costs, measured beside the bare engine and beside Axon's own engines; no test
 * runs it. Start with {@link gatebook.events.journal.bench.Bench}.
 */
@NullMarked
package gatebook.events.journal.bench;

import org.jspecify.annotations.NullMarked;
