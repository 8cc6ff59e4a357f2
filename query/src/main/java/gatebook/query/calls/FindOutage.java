package gatebook.query.calls;

import java.time.Instant;

/**
 * Finds whether the journal had an outage at a time, or soon after: of what was being stored then,
 * callers may have been told something else. The result is a {@link CallQueries.FoundOutage}.
 */
public record FindOutage(Instant at) {}
