package gatebook.query.calls;

import java.time.Instant;
import java.util.Optional;

/**
 * Finds the calls that have an id. The result is a {@link LookupResult}.
 *
 * @param id any id of a call: its own, or that of its correlation, trace, task or approval
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 * @param asOf shows only what was recorded up to this time; everything when empty
 */
public record FindCalls(String id, long atLeast, Optional<Instant> asOf) {}
