/**
 * What policies read of a question, and checks of that against what the tools' input schemas
 * declare. {@link gatebook.command.policy.check.QuestionParts} and {@link
 * gatebook.command.policy.check.PolicyCheck} are the entry points.
 */
@NullMarked
package gatebook.command.policy.check;

import org.jspecify.annotations.NullMarked;
