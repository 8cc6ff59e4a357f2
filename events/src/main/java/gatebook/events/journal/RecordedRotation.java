package gatebook.events.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.events.journal.checkpoint.KeyRotation;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StorageWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;

/** Reads the rotations of the checkpoint key that are recorded as events. */
public final class RecordedRotation {
  /** The tag of these events. */
  public static final Tag TAG = new Tag("key", "checkpoint");

  private static final int ROTATIONS_MAX = 1_000;
  private static final JsonMapper JSON = new JsonMapper();

  private RecordedRotation() {}

  /** The rotation that an event records; empty when it is no such event, or names no keys. */
  public static Optional<KeyRotation> of(Entry entry) {
    if (!entry.name().equals(TrustEvents.CHECKPOINT_KEY_ROTATED)) {
      return Optional.empty();
    }
    try {
      JsonNode event = JSON.readTree(entry.payload());
      return key(event.path("oldKey"))
          .flatMap(oldKey ->
              key(event.path("newKey"))
                  .map(newKey -> new KeyRotation(entry.position(), oldKey, newKey)));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static Optional<VerifierKey> key(JsonNode text) {
    return VerifierKey.parse(text.asText()) instanceof LoadedKey.Key<VerifierKey>(VerifierKey key)
        ? Optional.of(key)
        : Optional.empty();
  }

  /** The rotations up to a position, by ascending position. */
  static List<KeyRotation> recorded(StorageWriter storageWriter, long upTo) throws StorageFailure {
    List<KeyRotation> rotations = new ArrayList<>();
    List<Entry> found =
        storageWriter.read(
            EntrySelection.of(EventCriteria.havingTags(TAG)), 0, upTo, ROTATIONS_MAX);
    found.forEach(entry -> of(entry).ifPresent(rotations::add));
    return rotations;
  }
}
