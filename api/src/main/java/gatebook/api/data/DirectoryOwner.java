package gatebook.api.data;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.events.call.Bytes;
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
 * @param memberPort where it meets processes that record by it; null until it does
 * @param memberSecret by which they know each other
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record DirectoryOwner(
    long pid,
    @Nullable Integer adminPort,
    String startedAt,
    @JsonInclude(Include.NON_NULL) @Nullable Integer memberPort,
    @JsonInclude(Include.NON_NULL) @Nullable Bytes memberSecret) {

  private static final JsonMapper JSON = new JsonMapper();

  static DirectoryOwner thisProcess() {
    return new DirectoryOwner(
        ProcessHandle.current().pid(),
        null,
        Instant.now().truncatedTo(ChronoUnit.MILLIS).toString(),
        null,
        null);
  }

  DirectoryOwner answeringAt(int port) {
    return new DirectoryOwner(pid, port, startedAt, memberPort, memberSecret);
  }

  DirectoryOwner meetingAt(OwnerAddress place) {
    return new DirectoryOwner(pid, adminPort, startedAt, place.port(), place.secret());
  }

  /** Empty while nobody is met there. */
  Optional<OwnerAddress> rendezvous() {
    return memberPort == null || memberSecret == null
        ? Optional.empty()
        : Optional.of(new OwnerAddress(memberPort, memberSecret));
  }

  String json() {
    try {
      return JSON.writeValueAsString(this) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Empty while the owner is just writing it. */
  static Optional<DirectoryOwner> read(String json) {
    try {
      return Optional.of(JSON.readValue(json, DirectoryOwner.class));
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }
}
