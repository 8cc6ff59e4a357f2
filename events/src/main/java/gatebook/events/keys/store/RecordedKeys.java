package gatebook.events.keys.store;

import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.vocabulary.EventVocabulary;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys that a journal's newest events name, and the leaf of its first event.
 *
 * @param ids the ids of the keys, oldest first
 */
public record RecordedKeys(Optional<StoreContent.FirstLeaf> first, SequencedSet<String> ids) {

  private static final Logger log = LoggerFactory.getLogger(RecordedKeys.class);

  /** How many of the newest events are read. */
  public static final int EVENTS_MAX = 1_000;

  /** Reads the journal, without what is in an archive that cannot be used. */
  public static RecordedKeys of(JournalAccess journal) {
    long head = journal.head();
    Optional<StoreContent.FirstLeaf> first =
        read(journal, 0, Math.min(head, 1)).stream()
            .filter(entry -> entry.position() == 1)
            .map(entry -> new StoreContent.FirstLeaf(HexFormat.of().formatHex(entry.leaf())))
            .findFirst();
    SequencedSet<String> ids = new LinkedHashSet<>();
    long after = Math.max(0, head - EVENTS_MAX);
    while (after < head) {
      List<Entry> page = read(journal, after, head);
      if (page.isEmpty()) {
        break;
      }
      for (Entry entry : page) {
        EventVocabulary.contentKeyOf(entry).ifPresent(ids::add);
      }
      after = page.getLast().position();
    }
    return new RecordedKeys(first, ids);
  }

  /** A journal that cannot be read starts all the same, and says elsewhere why. */
  private static List<Entry> read(JournalAccess journal, long after, long upTo) {
    try {
      return journal.find(null, after, upTo, EVENTS_MAX);
    } catch (JournalUnreadable e) {
      log.atWarn()
          .addKeyValue("failure", StorageFailure.describe(e.getCause() == null ? e : e.getCause()))
          .log("old events of the journal cannot be read now, and their content keys not compared");
      return List.of();
    }
  }

  /** Refuses a store that belongs to another journal. */
  void check(StoreContent content, String where) throws OpenRefusal {
    if (isOfAnother(content)) {
      throw new OpenRefusal(
          "the content keys in %s belong to another journal: put those of this journal there, from"
                  .formatted(where)
              + " where they are or from a copy");
    }
  }

  /** Whether keys belong to another journal. */
  boolean isOfAnother(StoreContent content) {
    boolean known = ids.size() > missing(content).size();
    boolean differs =
        (first.isPresent() && content.journal().isPresent())
            ? !first.equals(content.journal())
            : !ids.isEmpty() && content.keys().size() > 0;
    return differs && !known;
  }

  /** The keys that are neither in a store nor erased. */
  List<String> missing(StoreContent content) {
    return ids.stream()
        .filter(text -> {
          Long id = PlainKey.id(text);
          return id == null || !(content.keys().has(id) || content.keys().isErased(id));
        })
        .toList();
  }

  /** Those of a journal that is not read. */
  public static RecordedKeys none() {
    return new RecordedKeys(Optional.empty(), new LinkedHashSet<>());
  }
}
