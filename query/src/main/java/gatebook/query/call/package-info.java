/** One call, read from its events: what became of it, step by step, and who had it for how long. */
@NullMarked
package gatebook.query.call;

import org.jspecify.annotations.NullMarked;
