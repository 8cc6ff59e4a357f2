package gatebook.events.journal.drop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.tree.Sha256;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * What an event says was dropped for good.
 *
 * @param position of the event
 * @param from the first position that is dropped
 * @param to the last one
 * @param root over the first {@code to} events
 * @param kept the positions that stay
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RecordedDrop(
    long position, long from, long to, Instant newestAt, byte[] root, PositionSet kept) {
  public static final String EVENT_NAME = "gatebook.EventsDropped";

  private static final JsonMapper JSON = new JsonMapper();

  /** The tag of the event that drops the events from a position on. */
  public static Tag tag(long from) {
    return new Tag("dropped-from", Long.toString(from));
  }

  /** Whether the event of a position in this range is dropped. */
  public boolean drops(long at) {
    return from <= at && at <= to && !kept.contains(at);
  }

  /** Empty when it is no such event, or says nothing that can be dropped. */
  public static Optional<RecordedDrop> of(Entry entry) {
    if (!entry.name().equals(EVENT_NAME)) {
      return Optional.empty();
    }
    try {
      JsonNode event = JSON.readTree(entry.payload());
      long from = event.path("from").asLong();
      long to = event.path("to").asLong();
      byte[] root = event.path("rootHash").binaryValue();
      byte[] kept = event.path("kept").binaryValue();
      if (from < 1 || to < from || to >= entry.position() || root == null || kept == null) {
        return Optional.empty();
      }
      Instant newestAt = Instant.parse(event.path("newestAt").asText());
      return root.length != Sha256.BYTES
          ? Optional.empty()
          : PositionSet.decode(kept)
              .filter(it -> it.isWithin(from, to))
              .map(it -> new RecordedDrop(entry.position(), from, to, newestAt, root, it));
    } catch (IOException | DateTimeParseException _) {
      return Optional.empty();
    }
  }
}
