package gatebook.query.errors;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.call.EventData;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts on an observed call, as the event of the decision has them.
 *
 * @param decided the ruling that had effect
 * @param observed the verdict of the candidate
 */
public record BothVerdicts(JsonNode decided, JsonNode observed) {

  /** Those at a position; null when the event is no longer there. */
  static @Nullable BothVerdicts at(
      long position, Journal journal, EventVocabulary eventVocabulary) {
    List<Entry> found = journal.read(position - 1, 1);
    if (found.isEmpty() || found.getFirst().position() != position) {
      return null;
    }
    JsonNode event = EventData.of(found.getFirst(), eventVocabulary).json();
    JsonNode rulings = event.path("rulings");
    return new BothVerdicts(rulings.path(rulings.size() - 1), event.path("observed"));
  }
}
