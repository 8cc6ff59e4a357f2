package gatebook.api.erasure;

import gatebook.events.journal.Journal;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.KeySelection;
import gatebook.events.keys.store.StoredKey;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the erasures of the journal to a store of keys that has not applied them: the process was
 * killed meanwhile, or the journal or the keys were restored.
 */
public final class ErasedAgain {
  private static final Logger LOG = LoggerFactory.getLogger(ErasedAgain.class);

  private ErasedAgain() {}

  /**
   * Erases what the journal says is erased. Before calls are accepted.
   *
   * @throws KeysUnavailable when the keys cannot be erased now
   */
  public static void apply(Journal journal, ContentKeyStore keys, EventVocabulary eventVocabulary) {
    List<RecordedErasure> due =
        new ErasureRecords(journal, eventVocabulary, Clock.systemUTC())
            .all().stream()
                .filter(it -> it.position() > keys.erasedUpTo() || !it.completed())
                .toList();
    if (due.isEmpty()) {
      return;
    }
    List<StoredKey> stored = keys.list(KeySelection.ALL);
    Set<String> storedIds = stored.stream().map(StoredKey::id).collect(Collectors.toSet());
    Set<String> erased = new LinkedHashSet<>();
    long position = keys.erasedUpTo();
    for (RecordedErasure erasure : due) {
      List<String> ids = ids(erasure, stored);
      if (erasure.position() > keys.erasedUpTo()) {
        erased.addAll(ids); // also what is not there: a backup may bring it back
      } else {
        ids.stream().filter(storedIds::contains).forEach(erased::add);
      }
      position = Math.max(position, erasure.position());
    }
    if (!erased.isEmpty() || position > keys.erasedUpTo()) {
      keys.erase(erased, position);
      LOG.atInfo()
          .addKeyValue("keys", erased.size())
          .addKeyValue("position", position)
          .log("applied erasures of the journal to the content keys");
    }
  }

  /**
   * What the erasures of a journal reach.
   *
   * @param position of the newest of them
   */
  public record Reached(Set<String> ids, long position) {}

  /** What all erasures of the journal reach, of these keys and of others that it names. */
  public static Reached reached(
      Journal journal, EventVocabulary eventVocabulary, List<StoredKey> keys) {
    Set<String> ids = new LinkedHashSet<>();
    long position = 0;
    for (RecordedErasure erasure :
        new ErasureRecords(journal, eventVocabulary, Clock.systemUTC()).all()) {
      ids.addAll(ids(erasure, keys));
      position = Math.max(position, erasure.position());
    }
    return new Reached(ids, position);
  }

  /** The ids of the keys that an erasure reaches. */
  static List<String> ids(RecordedErasure erasure, List<StoredKey> stored) {
    if (!erasure.keys().isEmpty()) {
      return erasure.keys();
    }
    List<String> ids = new ArrayList<>();
    for (StoredKey key : stored) {
      if (erasure.selection().test(key.owner()) && !key.madeAt().isAfter(erasure.at())) {
        ids.add(key.id());
      }
    }
    return ids;
  }
}
