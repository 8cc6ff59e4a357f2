/** What goes wrong, and whether it gets worse, on the command line. */
@NullMarked
package gatebook.api.errors;

import org.jspecify.annotations.NullMarked;
