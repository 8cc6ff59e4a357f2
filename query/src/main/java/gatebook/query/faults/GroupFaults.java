package gatebook.query.faults;

import java.time.Instant;

/**
 * Groups the error responses that match a filter. The result is a {@link FaultQueries.Groups}.
 *
 * @param filter its time is from the first error on, and up to now, where it has none
 * @param now the time of the query
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 */
public record GroupFaults(ListFaults.Filter filter, Instant now, int limit, long atLeast) {}
