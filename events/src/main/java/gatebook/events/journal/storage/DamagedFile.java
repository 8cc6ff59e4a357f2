package gatebook.events.journal.storage;

/**
 * A file of a journal that cannot be read as it was written.
 *
 * @param file its name, without the directory
 * @param why for operators
 * @param from the position of its first event
 * @param to the position of its last event; the highest number when that is not known
 */
public record DamagedFile(String file, String why, long from, long to) {}
