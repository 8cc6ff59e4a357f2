/** Inspectors, which check the arguments of calls that the gates let pass. */
@NullMarked
package gatebook.command.inspect;

import org.jspecify.annotations.NullMarked;
