/** The methods of the daemon dialect. */
@NullMarked
package gatebook.api.daemon;

import org.jspecify.annotations.NullMarked;
