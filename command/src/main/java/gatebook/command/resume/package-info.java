/** What becomes of a call that was held: whether it goes on, and if not, why. */
@NullMarked
package gatebook.command.resume;

import org.jspecify.annotations.NullMarked;
