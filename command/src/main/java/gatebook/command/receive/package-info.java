/** What becomes of a call that comes in: whether it is forwarded, answered here or refused. */
@NullMarked
package gatebook.command.receive;

import org.jspecify.annotations.NullMarked;
