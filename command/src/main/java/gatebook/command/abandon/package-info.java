/** How calls end that nobody waits for any longer. */
@NullMarked
package gatebook.command.abandon;

import org.jspecify.annotations.NullMarked;
