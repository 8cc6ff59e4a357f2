package gatebook.api.border;

import gatebook.api.rpc.Members;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a message is called, and what its caller says it speaks; all of it checked. */
record Names(
    UUID callId, String correlationId, @Nullable String traceId, @Nullable String dialectVersion) {

  private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9.-]{1,32}");

  /** {@code members} are those of the message's params. */
  static Names of(UUID callId, Incoming incoming, Members members) {
    Optional<String> trace = Trace.of(incoming, members).map(Trace::id);
    String correlation =
        CorrelationId.of(incoming.correlationId()).or(() -> trace).orElseGet(callId::toString);
    return new Names(
        callId,
        correlation,
        trace.orElse(null),
        Optional.ofNullable(incoming.dialectVersion())
            .filter(version -> VERSION.matcher(version).matches())
            .filter(version -> !Credentials.in(version))
            .orElse(null));
  }
}
