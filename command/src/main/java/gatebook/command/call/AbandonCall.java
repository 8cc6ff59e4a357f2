package gatebook.command.call;

import gatebook.events.CallAbandoned;
import java.time.Instant;
import java.util.UUID;

/** The caller is gone: close the call, unless it has ended. */
public record AbandonCall(UUID callId, CallAbandoned.Cause cause, Instant receivedAt, Instant at) {}
