package gatebook.events.keys.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.OpenRefusal;
import java.io.IOException;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a journal's newest events name, and the leaf of its first event.
 *
 * @param ids the ids of the keys, oldest first
 */
public record RecordedKeys(Optional<StoreContent.FirstLeaf> first, SequencedSet<String> ids) {

  /** How many of the newest events are read. */
  public static final int EVENTS_MAX = 1_000;

  private static final JsonFactory JSON = new JsonFactory();

  /** Reads the journal. */
  public static RecordedKeys of(JournalAccess journal) {
    long head = journal.head();
    Optional<StoreContent.FirstLeaf> first =
        journal.find(null, 0, Math.min(head, 1), 1).stream()
            .filter(entry -> entry.position() == 1)
            .map(entry -> new StoreContent.FirstLeaf(HexFormat.of().formatHex(entry.leaf())))
            .findFirst();
    SequencedSet<String> ids = new LinkedHashSet<>();
    long after = Math.max(0, head - EVENTS_MAX);
    while (after < head) {
      List<Entry> page = journal.find(null, after, head, EVENTS_MAX);
      if (page.isEmpty()) {
        break;
      }
      for (Entry entry : page) {
        String id = keyOf(entry.payload());
        if (id != null) {
          ids.add(id);
        }
      }
      after = page.getLast().position();
    }
    return new RecordedKeys(first, ids);
  }

  /** Refuses a store that belongs to another journal. */
  void check(StoreContent content, String where) throws OpenRefusal {
    boolean known = ids.size() > missing(content).size();
    boolean ofAnother =
        (first.isPresent() && content.journal().isPresent())
            ? !first.equals(content.journal())
            : !ids.isEmpty() && content.keys().size() > 0;
    if (ofAnother && !known) {
      throw new OpenRefusal(
          "the content keys in %s belong to another journal: put those of this journal there, from"
                  .formatted(where)
              + " where they are or from a copy");
    }
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

  /** The key that a payload names in its member {@code sealed}; null when it is not sealed. */
  public static @Nullable String keyOf(byte[] payload) {
    try (JsonParser parser = JSON.createParser(payload)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean sealed = parser.currentName().equals("sealed");
        if (parser.nextToken() == JsonToken.START_OBJECT && sealed) {
          return member(parser, "key");
        }
        parser.skipChildren();
      }
      return null;
    } catch (IOException _) {
      return null; // an event that cannot be read is told by others
    }
  }

  private static @Nullable String member(JsonParser parser, String name) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      boolean found = parser.currentName().equals(name);
      if (parser.nextToken() == JsonToken.VALUE_STRING && found) {
        return parser.getText();
      }
      parser.skipChildren();
    }
    return null;
  }
}
