package gatebook.query.calls;

import java.time.Instant;

/**
 * Finds whether the journal had an outage at a time, or soon after: for events that were being
 * stored then, callers may have got another error. The result is a {@link CallQueries.FoundOutage}.
 */
public record FindOutage(Instant at) {}
