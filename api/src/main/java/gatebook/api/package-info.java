/** The command line and the launcher's training runs. */
@NullMarked
package gatebook.api;

import org.jspecify.annotations.NullMarked;
