/** Whole nodes, called through A2A: the built-in agent, cards, streams and messages. */
@NullMarked
package gatebook.api.node.a2a;

import org.jspecify.annotations.NullMarked;
