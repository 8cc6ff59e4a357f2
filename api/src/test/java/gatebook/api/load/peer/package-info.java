/** The servers that the product is compared with; they do not depend on it. */
@NullMarked
package gatebook.api.load.peer;

import org.jspecify.annotations.NullMarked;
