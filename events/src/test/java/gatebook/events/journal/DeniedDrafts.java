package gatebook.events.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.axonframework.messaging.eventstreaming.Tag;

/** DeniedDrafts of the events of denied calls. */
final class DeniedDrafts {
  private static final byte[] NO_METADATA = "{}".getBytes(StandardCharsets.UTF_8);

  private final ObjectMapper json = new ObjectMapper();

  List<DraftEvent> deniedCall(String callId) {
    return List.of(draft(callId, "Received", DeniedCall.received(callId)), denied(callId));
  }

  DraftEvent denied(String callId) {
    return draft(callId, "Denied", DeniedCall.denied(callId));
  }

  private DraftEvent draft(String callId, String name, Object payload) {
    return DraftEvent.of(
        UUID.randomUUID().toString(),
        "gatebook.call." + name,
        "1",
        Instant.now(),
        Set.of(new Tag("call", callId)),
        bytes(payload),
        NO_METADATA);
  }

  private byte[] bytes(Object payload) {
    try {
      return json.writeValueAsBytes(payload);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an event of the benchmark cannot be written", e);
    }
  }
}
