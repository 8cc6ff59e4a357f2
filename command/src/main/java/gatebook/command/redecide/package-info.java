/** The decision of a recorded call, taken again by given rules. */
@NullMarked
package gatebook.command.redecide;

import org.jspecify.annotations.NullMarked;
