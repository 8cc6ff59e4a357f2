/** The entry point of the command line and the training runs of the launcher's class cache. */
@NullMarked
package gatebook.api;

import org.jspecify.annotations.NullMarked;
