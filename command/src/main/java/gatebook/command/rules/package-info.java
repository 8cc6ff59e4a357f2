/** The rules as immutable values: sources, governance, approvals, people, redaction, limits. */
@NullMarked
package gatebook.command.rules;

import org.jspecify.annotations.NullMarked;
