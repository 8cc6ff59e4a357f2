/** What the journal keeps of contents that are not its own. */
@NullMarked
package gatebook.command.keep;

import org.jspecify.annotations.NullMarked;
