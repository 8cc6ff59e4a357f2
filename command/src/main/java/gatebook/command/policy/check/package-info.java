/**
 * Checks of policies against tools: what a policy reads, and what the tools' input schemas declare.
 * {@link gatebook.command.policy.check.PolicyCheck} is the entry point.
 */
@NullMarked
package gatebook.command.policy.check;

import org.jspecify.annotations.NullMarked;
