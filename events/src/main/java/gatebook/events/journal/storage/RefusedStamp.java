package gatebook.events.journal.storage;

/** A refused stamp: a stamp that settles nothing, because it cannot be trusted. */
public record RefusedStamp(String file, String why) {}
