package gatebook.events.journal.storage;

import java.time.Instant;

/**
 * The end of what was dropped for good: of the events up to there only some are kept.
 *
 * @param at the time of the newest event that was dropped, or of one near it
 */
public record DroppedThrough(long position, Instant at) {}
