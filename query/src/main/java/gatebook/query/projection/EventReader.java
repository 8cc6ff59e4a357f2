package gatebook.query.projection;

import gatebook.events.Event;
import gatebook.events.journal.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Reads events for views; what several views read one after the other is read once. */
public final class EventReader {
  private static final int KEPT_MAX = 1 << 11;

  /** Larger ones are read by each view, so that what is kept has a bound. */
  private static final int KEPT_BYTES_MAX = 4 << 10;

  private final EventVocabulary eventVocabulary = new EventVocabulary();
  private final AtomicReferenceArray<@Nullable Kept> kept = new AtomicReferenceArray<>(KEPT_MAX);

  private record Kept(Entry entry, Event event) {}

  /**
   * The event of the present version.
   *
   * @throws gatebook.events.vocabulary.UnreadableEvent when this version cannot read it
   */
  @SuppressWarnings("ReferenceEquality") // the very same objects, as they are given to all views
  public Event read(Entry entry) {
    int slot = (int) (entry.position() % KEPT_MAX);
    Kept found = kept.get(slot);
    if (found != null && found.entry == entry) {
      return found.event;
    }
    Event event = eventVocabulary.read(entry);
    if (event != entry.content() && entry.payload().length <= KEPT_BYTES_MAX) {
      kept.set(slot, new Kept(entry, event));
    }
    return event;
  }
}
