/** A running node: its wiring, start, stop and readiness. */
@NullMarked
package gatebook.api.node;

import org.jspecify.annotations.NullMarked;
