/** The gates as a function of a call and the rules. */
@NullMarked
package gatebook.command.gate;

import org.jspecify.annotations.NullMarked;
