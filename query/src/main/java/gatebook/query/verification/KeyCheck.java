package gatebook.query.verification;

import gatebook.events.journal.storage.Entry;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.vocabulary.EventVocabulary;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Looks for content keys that events name, and that are missing without having been erased, among
 * the events that a verification reads. It changes nothing in what the verification finds.
 */
public final class KeyCheck implements Consumer<Entry> {
  /** Events of one time name the same keys. */
  private static final int KNOWN_MAX = 4_096;

  private static final int NAMED_MAX = 20;

  private final Predicate<String> isMissing;
  private final Map<String, Boolean> known = new ConcurrentHashMap<>();
  private final Set<String> named = new LinkedHashSet<>();
  private long events;
  private long first = Long.MAX_VALUE;
  private long last;
  private volatile Optional<String> failure = Optional.empty();

  /**
   * @param isMissing of the id of a key; throws {@link KeysUnavailable} when it cannot be known
   */
  public KeyCheck(Predicate<String> isMissing) {
    this.isMissing = isMissing;
  }

  /**
   * The result.
   *
   * @param events how many name a key that is missing
   * @param first the position of the first of them; 0 when there is none
   * @param keys some of these keys
   * @param failure why not all events could be checked
   */
  public record Result(
      long events, long first, long last, List<String> keys, Optional<String> failure) {
    public Result {
      keys = List.copyOf(keys);
    }
  }

  /** Forgets what was found: the events are read again. */
  synchronized void restart() {
    named.clear();
    events = 0;
    first = Long.MAX_VALUE;
    last = 0;
    failure = Optional.empty();
  }

  @Override
  public void accept(Entry entry) {
    Optional<String> key = EventVocabulary.contentKeyOf(entry);
    if (key.isPresent() && isMissing(key.get())) {
      add(entry.position(), key.get());
    }
  }

  private boolean isMissing(String key) {
    Boolean isKnown = known.get(key);
    if (isKnown != null) {
      return isKnown;
    }
    try {
      boolean missing = isMissing.test(key);
      if (known.size() >= KNOWN_MAX) {
        known.clear();
      }
      known.put(key, missing);
      return missing;
    } catch (KeysUnavailable e) {
      failure = Optional.of(String.valueOf(e.getMessage()));
      return false;
    }
  }

  private synchronized void add(long position, String key) {
    events++;
    first = Math.min(first, position);
    last = Math.max(last, position);
    if (named.size() < NAMED_MAX) {
      named.add(key);
    }
  }

  public synchronized Result result() {
    return new Result(events, events == 0 ? 0 : first, last, List.copyOf(named), failure);
  }
}
