package gatebook.query.projection;

import gatebook.events.Event;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.EventVocabulary;

/** Reads events for views. An event that was read ahead is not read again for each view. */
public final class EventReader {
  private final EventVocabulary eventVocabulary = new EventVocabulary();

  /** The content of an entry whose event was read ahead. */
  private record ReadAhead(Event event) {}

  /** The event of an entry, upcast to the present version. */
  public Event read(Entry entry) {
    return entry.content() instanceof ReadAhead ahead ? ahead.event : eventVocabulary.read(entry);
  }

  /**
   * The entry with its event, for all views that need it. An event that cannot be read is left to
   * them, and they park it.
   */
  Entry readAhead(Entry entry) {
    try {
      return entry.withContent(new ReadAhead(eventVocabulary.read(entry)));
    } catch (RuntimeException _) {
      return entry;
    }
  }
}
