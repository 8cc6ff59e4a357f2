/** The rules: what operators wrote down for the gates to go by. */
@NullMarked
package gatebook.command.rules;

import org.jspecify.annotations.NullMarked;
