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
 * The owner process of a data directory, as {@code owner.lock} names it for other processes.
 *
 * @param adminPort the port where it answers operators; null until that port is open
 * @param startedAt RFC 3339, UTC
 * @param memberPort the port for processes that share the directory; null until it is open
 * @param memberSecret the secret that both sides of such a connection prove
 * @param consoleUrl where browsers reach its console by TLS; null without TLS
 * @param probeUrl the address of its probes; null until they are served
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record DirectoryOwner(
    long pid,
    @Nullable Integer adminPort,
    String startedAt,
    @JsonInclude(Include.NON_NULL) @Nullable Integer memberPort,
    @JsonInclude(Include.NON_NULL) @Nullable Bytes memberSecret,
    @JsonInclude(Include.NON_NULL) @Nullable String consoleUrl,
    @JsonInclude(Include.NON_NULL) @Nullable String probeUrl) {

  private static final JsonMapper JSON = new JsonMapper();

  static DirectoryOwner thisProcess() {
    return new DirectoryOwner(
        ProcessHandle.current().pid(),
        null,
        Instant.now().truncatedTo(ChronoUnit.MILLIS).toString(),
        null,
        null,
        null,
        null);
  }

  DirectoryOwner withAdminPort(int port) {
    return new DirectoryOwner(pid, port, startedAt, memberPort, memberSecret, consoleUrl, probeUrl);
  }

  DirectoryOwner withAddress(OwnerAddress address) {
    return new DirectoryOwner(
        pid, adminPort, startedAt, address.port(), address.secret(), consoleUrl, probeUrl);
  }

  DirectoryOwner withConsole(String url) {
    return new DirectoryOwner(pid, adminPort, startedAt, memberPort, memberSecret, url, probeUrl);
  }

  DirectoryOwner withProbeUrl(String url) {
    return new DirectoryOwner(pid, adminPort, startedAt, memberPort, memberSecret, consoleUrl, url);
  }

  /** The address for other processes; empty until it is announced. */
  Optional<OwnerAddress> ownerAddress() {
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

  /** Reads the owner; empty while the owner is writing the file. */
  static Optional<DirectoryOwner> read(String json) {
    try {
      return Optional.of(JSON.readValue(json, DirectoryOwner.class));
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }
}
