/** What becomes of a message that is no call. */
@NullMarked
package gatebook.command.refuse;

import org.jspecify.annotations.NullMarked;
