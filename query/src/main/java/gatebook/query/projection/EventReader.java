package gatebook.query.projection;

import gatebook.events.Event;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.EventVocabulary;

/** Reads events for views. An event that was read ahead is not read again for each view. */
public final class EventReader {
  private final EventVocabulary eventVocabulary = new EventVocabulary();

  /** The event of an entry, upcast to the present version. */
  public Event read(Entry entry) {
    return eventVocabulary.read(entry);
  }

  /**
   * The entry with its event, for all views that need it. An event that cannot be read is left to
   * them, and they park it.
   */
  Entry readAhead(Entry entry) {
    try {
      return entry.content() instanceof Event
          ? entry
          : entry.withContent(eventVocabulary.read(entry));
    } catch (RuntimeException _) {
      return entry;
    }
  }
}
