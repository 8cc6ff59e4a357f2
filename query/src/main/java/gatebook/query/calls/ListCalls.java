package gatebook.query.calls;

import java.util.OptionalLong;

/**
 * Lists the calls that match a filter, newest first. The result is a {@link CallQueries.Page}.
 *
 * @param before the cursor from the previous page
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 */
public record ListCalls(CallFilter filter, OptionalLong before, int limit, long atLeast) {}
