package gatebook.query.trees;

import gatebook.events.tree.TreeStatus;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Lists the trees that match the conditions, newest first, without their tasks. The result is a
 * {@link TreeQueries.Page}.
 *
 * @param before the cursor from the previous page
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 */
public record ListTrees(
    Optional<String> owner,
    Optional<TreeStatus> status,
    OptionalLong before,
    int limit,
    long atLeast) {}
