/** Redeciding: a recorded call is decided again by given rules, and the difference reported. */
@NullMarked
package gatebook.command.redecide;

import org.jspecify.annotations.NullMarked;
