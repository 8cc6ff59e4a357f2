package gatebook.events.journal;

/** A refused stamp: a stamp that settles nothing, because it cannot be trusted. */
public record RefusedStamp(String file, String why) {}
