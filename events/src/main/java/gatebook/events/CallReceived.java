package gatebook.events;

import gatebook.events.call.Dialect;
import gatebook.events.call.KeptContent;
import gatebook.events.call.Principal;
import gatebook.events.call.SealedContent;
import gatebook.events.call.Transport;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call came in, and nothing has been done about it yet.
 *
 * <p>{@code rpcId} is the exact token of the JSON-RPC id, absent for a notification. {@code
 * receivedAt} is the time the gates saw. {@code source} and {@code target} are absent where the
 * call acts on none. {@code arguments} are absent where there were none, {@code original} (the
 * message as it came) where the rules keep none.
 */
@Named(name = "CallReceived", version = "1")
public record CallReceived(
    UUID callId,
    String correlationId,
    @Nullable String traceId,
    Dialect dialect,
    @Nullable String dialectVersion,
    Transport transport,
    Instant receivedAt,
    String method,
    @Nullable String rpcId,
    Principal principal,
    @Nullable String source,
    @Nullable String target,
    @Nullable String taskId,
    @Nullable KeptContent arguments,
    @Nullable SealedContent original,
    String rulesHash)
    implements CallEvent {}
