package gatebook.events.journal.archive;

/** The name and the length of an object in an archive. */
public record ArchivedObject(String name, long bytes) {}
