/** What becomes of a call that was forwarded or is answered here: how it ended. */
@NullMarked
package gatebook.command.settle;

import org.jspecify.annotations.NullMarked;
