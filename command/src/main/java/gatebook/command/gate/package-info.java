/** The gates: pure functions of recorded facts, each with the verdict and what it rests on. */
@NullMarked
package gatebook.command.gate;

import org.jspecify.annotations.NullMarked;
