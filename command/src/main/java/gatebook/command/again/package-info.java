/** Would it be decided the same again? By recorded facts, under any rules. */
@NullMarked
package gatebook.command.again;

import org.jspecify.annotations.NullMarked;
