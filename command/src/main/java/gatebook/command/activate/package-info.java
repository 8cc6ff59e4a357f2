/** Which rules decide from here on. */
@NullMarked
package gatebook.command.activate;

import org.jspecify.annotations.NullMarked;
