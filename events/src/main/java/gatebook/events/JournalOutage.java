package gatebook.events;

import java.time.Instant;

/**
 * The journal could not be written: how many callers were refused meanwhile, and how many were told
 * that their call went upstream but its outcome was not recorded.
 */
@Named(name = "JournalOutage", version = "1")
public record JournalOutage(
    Instant from, Instant to, String cause, long refused, long outcomesNotRecorded)
    implements Event {}
