/** The rules as values. */
@NullMarked
package gatebook.command.rules;

import org.jspecify.annotations.NullMarked;
