package gatebook.command.call;

import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Record late what a caller was told when it could not be recorded, unless the call has ended. */
public record CloseCall(
    UUID callId,
    @Nullable String target,
    Fault fault,
    ErrorResponse told,
    Instant receivedAt,
    Instant at) {}
