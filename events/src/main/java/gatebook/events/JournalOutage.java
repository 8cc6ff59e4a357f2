package gatebook.events;

import java.time.Instant;

/**
 * The journal had an outage: it could not be written. {@code refused} callers were refused
 * meanwhile, and {@code outcomesNotRecorded} callers got the error that their call went upstream
 * and its outcome was not recorded.
 */
@Named(name = "JournalOutage", version = "1")
public record JournalOutage(
    Instant from, Instant to, String cause, long refused, long outcomesNotRecorded)
    implements Event {}
