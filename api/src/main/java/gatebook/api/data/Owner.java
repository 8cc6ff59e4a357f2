package gatebook.api.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The process that owns a data directory, as {@code owner.lock} tells other processes.
 *
 * @param adminPort where it answers operators; null until that port is open
 * @param startedAt RFC 3339, UTC
 */
record Owner(long pid, @Nullable Integer adminPort, String startedAt) {

  private static final JsonMapper JSON = new JsonMapper();

  static Owner thisProcess() {
    return new Owner(
        ProcessHandle.current().pid(),
        null,
        Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
  }

  Owner answeringAt(int port) {
    return new Owner(pid, port, startedAt);
  }

  String json() {
    try {
      return JSON.writeValueAsString(this) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Empty while the owner is just writing it. */
  static Optional<Owner> read(String json) {
    try {
      return Optional.of(JSON.readValue(json, Owner.class));
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }
}
