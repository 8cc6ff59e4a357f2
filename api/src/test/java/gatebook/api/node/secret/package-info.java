/** Secrets that are planted in whole nodes, and searched where they must not be. */
@NullMarked
package gatebook.api.node.secret;

import org.jspecify.annotations.NullMarked;
