package gatebook.events.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StorageWriter;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * A rollback of the journal that is recorded as an event. Nothing is appended after it until an
 * operator lets the log go on under another origin.
 *
 * @param witness that showed it
 * @param origin of the log that was rolled back
 */
public record RecordedRollback(String witness, String origin) {
  /** The tag of these events. */
  public static final Tag TAG = new Tag("rollback", "journal");

  private static final String NAME = "gatebook.RollbackFound";
  private static final int ROLLBACKS_MAX = 1_000;
  private static final JsonMapper JSON = new JsonMapper();

  /** The first rollback that one of these events records. */
  static Optional<RecordedRollback> first(Collection<Entry> entries) {
    for (Entry entry : entries) {
      if (entry.name().equals(NAME)) {
        return Optional.of(of(entry));
      }
    }
    return Optional.empty();
  }

  private static RecordedRollback of(Entry entry) {
    try {
      JsonNode event = JSON.readTree(entry.payload());
      return new RecordedRollback(event.path("witness").asText(), event.path("origin").asText());
    } catch (IOException _) {
      return new RecordedRollback("", "");
    }
  }

  /** The rollback after which the log of this origin does not go on. */
  static Optional<RecordedRollback> of(String origin, StorageWriter storageWriter)
      throws StorageFailure {
    List<Entry> found =
        storageWriter.read(
            EntrySelection.of(EventCriteria.havingTags(TAG)), 0, Long.MAX_VALUE, ROLLBACKS_MAX);
    return found.stream()
        .filter(entry -> entry.name().equals(NAME))
        .map(RecordedRollback::of)
        .filter(it -> it.origin().equals(origin))
        .findFirst();
  }

  /** Why nothing is appended, and what to do. */
  String sentence() {
    return "the journal was rolled back, as the witness %s shows, and takes no events: put back its newest state, or let it go on under a new origin with gatebook restore --continue REASON"
        .formatted(witness);
  }
}
