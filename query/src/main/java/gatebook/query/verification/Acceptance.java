package gatebook.query.verification;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gatebook.events.journal.Entry;
import java.io.IOException;
import java.util.Optional;

/**
 * An operator's word, at a position in the journal, that the events 1 to {@code size} are taken as
 * they stand.
 */
public record Acceptance(long position, long size, String root, String reason) {
  static final String EVENT_NAME = "gatebook.MismatchAccepted";

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What the event says; nothing when it is no event that could ever accept anything. */
  static Optional<Acceptance> of(Entry entry) {
    try {
      JsonNode payload = JSON.readTree(entry.payload());
      long size = payload.path("size").asLong(-1);
      return size < 1 || size >= entry.position()
          ? Optional.empty()
          : Optional.of(
              new Acceptance(
                  entry.position(),
                  size,
                  payload.path("root").asText(""),
                  payload.path("reason").asText("")));
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
