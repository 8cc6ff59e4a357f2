/** Whole nodes, called by operators. */
@NullMarked
package gatebook.api.node.operator;

import org.jspecify.annotations.NullMarked;
