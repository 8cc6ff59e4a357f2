/** Events as they are recorded, on the command line. */
@NullMarked
package gatebook.api.tail;

import org.jspecify.annotations.NullMarked;
