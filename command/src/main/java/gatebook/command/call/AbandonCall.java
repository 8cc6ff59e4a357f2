package gatebook.command.call;

import gatebook.events.CallAbandoned;
import java.time.Instant;
import java.util.UUID;

/** Abandons a call: closes it because its caller is gone, unless it has ended. */
public record AbandonCall(UUID callId, CallAbandoned.Cause cause, Instant receivedAt, Instant at)
    implements CallCommand {}
