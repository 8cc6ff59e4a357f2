/** A further attempt at a source to which no byte of the call has gone yet. */
@NullMarked
package gatebook.command.retry;

import org.jspecify.annotations.NullMarked;
