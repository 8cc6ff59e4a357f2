package gatebook.query.projection;

import gatebook.events.Event;
import gatebook.events.journal.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Reads events for views. A cache avoids reading an event once for each view. */
public final class EventReader {
  private static final int CACHED_MAX = 1 << 11;

  /** Events with a larger payload are not cached, so that the size of the cache is bounded. */
  private static final int CACHED_BYTES_MAX = 4 << 10;

  private final EventVocabulary eventVocabulary = new EventVocabulary();
  private final AtomicReferenceArray<@Nullable Cached> cache =
      new AtomicReferenceArray<>(CACHED_MAX);

  private record Cached(Entry entry, Event event) {}

  /** The event of an entry, upcast to the present version. */
  @SuppressWarnings("ReferenceEquality") // all views are given the very same entries
  public Event read(Entry entry) {
    int slot = (int) (entry.position() % CACHED_MAX);
    Cached cached = cache.get(slot);
    if (cached != null && cached.entry == entry) {
      return cached.event;
    }
    Event event = eventVocabulary.read(entry);
    if (event != entry.content() && entry.payload().length <= CACHED_BYTES_MAX) {
      cache.set(slot, new Cached(entry, event));
    }
    return event;
  }
}
