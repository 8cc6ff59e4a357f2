package gatebook.command.receive;

import gatebook.command.Tongue;
import gatebook.events.call.Kept;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decide what becomes of a call that came in.
 *
 * @param rpcId the exact token of the JSON-RPC id, absent for a notification
 * @param arguments what is kept of them, absent where there were none
 */
public record ReceiveCall(
    UUID callId,
    String correlationId,
    @Nullable String traceId,
    Tongue tongue,
    Transport transport,
    Instant receivedAt,
    String method,
    @Nullable String rpcId,
    Principal principal,
    Aim aim,
    @Nullable Kept arguments) {}
