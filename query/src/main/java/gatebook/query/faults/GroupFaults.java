package gatebook.query.faults;

import java.time.Instant;
import java.util.Optional;

/**
 * Groups the error responses of a time span. The result is a {@link FaultQueries.Groups}.
 *
 * @param since recorded at or after this time; from the first error on when empty
 * @param until recorded before this time; up to now when empty
 * @param now the time of the query
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 */
public record GroupFaults(
    Optional<Instant> since, Optional<Instant> until, Instant now, int limit, long atLeast) {}
