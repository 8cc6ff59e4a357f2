/** The servers that the product is measured beside; they name nothing of it. */
@NullMarked
package gatebook.api.bench.peer;

import org.jspecify.annotations.NullMarked;
