package gatebook.events;

import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message was refused before it became a call. Its body is not kept; {@code rpcId} is the exact
 * token of its id and {@code principal} the caller's name, where they could be read.
 */
@Named(name = "MessageRefused", version = "1")
public record MessageRefused(
    UUID callId,
    String correlationId,
    Dialect dialect,
    Transport transport,
    @Nullable String principal,
    @Nullable String rpcId,
    long sizeBytes,
    Fault fault,
    ErrorResponse told)
    implements CallEnd {}
