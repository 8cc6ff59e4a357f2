package gatebook.query.errors;

import java.util.OptionalLong;

/**
 * Lists the denials or the errors that match a filter, newest first. The result is an {@link
 * ErrorQueries.ErrorPage}. What is observed has the verdicts of both.
 *
 * @param after the cursor from the previous page
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 */
public record ListErrors(ErrorFilter filter, OptionalLong after, int limit, long atLeast) {}
