package gatebook.query.call;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.ContentState;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.events.vocabulary.OpenedPayload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of a recorded event as people may see it.
 *
 * @param json with the content as far as it can be read, and without originals
 * @param unreadable why content is missing in it; absent when none is
 */
public record EventData(JsonNode json, @Nullable ContentState unreadable) {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  /** The member of older events that has an original. */
  private static final String OLD_ORIGINAL = "original";

  /** Reads a recorded event; bytes that are no JSON are shown as they are. */
  public static EventData of(Entry entry, EventVocabulary eventVocabulary) {
    return of(entry, eventVocabulary.openToShow(entry));
  }

  /** Reads an event that was opened to be shown. */
  public static EventData of(Entry entry, OpenedPayload opened) {
    ContentState state = opened.contentState();
    try {
      JsonNode json = JSON.readTree(opened.json());
      if (json instanceof ObjectNode event) {
        event.remove(OLD_ORIGINAL);
      }
      if (state == ContentState.PLAIN) {
        return new EventData(json, null);
      }
      String place = "[%s]".formatted(state.word());
      fillPlaces(json, place);
      return new EventData(json, state == ContentState.OPENED ? null : state);
    } catch (JacksonException _) {
      return new EventData(new BinaryNode(entry.payload()), null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Originals are left out; every other member that cannot be read says why. */
  private static void fillPlaces(JsonNode node, String place) {
    if (node instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> member : List.copyOf(object.properties())) {
        String name = member.getKey();
        if (EventVocabulary.isPlaceOfOriginal(name)) {
          object.remove(name);
        } else if (EventVocabulary.isPlaceOfContent(name)) {
          object.remove(name);
          object.put(EventVocabulary.nameOfContent(name), place);
        }
      }
    }
    node.forEach(child -> fillPlaces(child, place));
  }
}
