/** Whole nodes with agents upstream, called through A2A. */
@NullMarked
package gatebook.api.node.agent;

import org.jspecify.annotations.NullMarked;
