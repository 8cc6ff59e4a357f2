/** Decides what the journal keeps of payloads. */
@NullMarked
package gatebook.command.keep;

import org.jspecify.annotations.NullMarked;
