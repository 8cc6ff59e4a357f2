/**
 * What the border costs, measured beside a bare server and a plain proxy; no test runs it. Start
 * with {@link gatebook.api.bench.Bench}.
 */
@NullMarked
package gatebook.api.bench;

import org.jspecify.annotations.NullMarked;
