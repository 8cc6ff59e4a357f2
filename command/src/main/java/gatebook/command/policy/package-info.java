/**
 * Cedar policies: compiling, checking, evaluating and caching them. {@link
 * gatebook.command.policy.CedarPolicies} is the entry point.
 */
@NullMarked
package gatebook.command.policy;

import org.jspecify.annotations.NullMarked;
