package gatebook.api.gateway.message;

import gatebook.api.rpc.ObjectMembers;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The ids of a call, and the version that its caller declared; all of them checked. */
public record CallIds(
    UUID callId, String correlationId, @Nullable String traceId, @Nullable String dialectVersion) {

  private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9.-]{1,32}");

  /** {@code members} are those of the message's params. */
  public static CallIds of(
      UUID callId, IncomingMessage incomingMessage, ObjectMembers objectMembers) {
    Optional<String> trace = TraceContext.of(incomingMessage, objectMembers).map(TraceContext::id);
    String correlation =
        CorrelationIds.of(incomingMessage.correlationId())
            .or(() -> trace)
            .orElseGet(callId::toString);
    return new CallIds(
        callId,
        correlation,
        trace.orElse(null),
        Optional.ofNullable(incomingMessage.dialectVersion())
            .filter(version -> VERSION.matcher(version).matches())
            .filter(version -> !CredentialMask.hasCredential(version))
            .orElse(null));
  }
}
