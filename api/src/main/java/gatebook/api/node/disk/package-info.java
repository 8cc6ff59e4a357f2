/** The disk of a node: how full it is, and what ends when it is nearly full. */
@NullMarked
package gatebook.api.node.disk;

import org.jspecify.annotations.NullMarked;
