/** The gates, as a pure function of a call and the rules. */
@NullMarked
package gatebook.command.gate;

import org.jspecify.annotations.NullMarked;
