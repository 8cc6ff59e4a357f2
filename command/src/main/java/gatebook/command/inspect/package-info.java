/** Inspectors of a call's content. */
@NullMarked
package gatebook.command.inspect;

import org.jspecify.annotations.NullMarked;
