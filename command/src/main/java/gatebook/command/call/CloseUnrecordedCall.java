package gatebook.command.call;

import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Closes a call whose error response could not be recorded when it was sent, unless the call has
 * ended.
 */
public record CloseUnrecordedCall(
    UUID callId,
    @Nullable String target,
    Fault fault,
    ErrorResponse errorResponse,
    Instant receivedAt,
    Instant at)
    implements CallCommand {}
