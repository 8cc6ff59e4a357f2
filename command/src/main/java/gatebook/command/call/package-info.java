/** The commands about one call and their decisions. */
@NullMarked
package gatebook.command.call;

import org.jspecify.annotations.NullMarked;
