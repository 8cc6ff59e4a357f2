package gatebook.query.calls;

import java.util.OptionalLong;

/**
 * Lists the activations and rejections of rules, newest first. The result is a {@link
 * CallQueries.RuleChangePage}.
 *
 * @param after the cursor from the previous page
 */
public record ListRuleChanges(OptionalLong after, int limit) {}
