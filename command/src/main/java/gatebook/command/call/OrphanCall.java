package gatebook.command.call;

import java.time.Instant;
import java.util.UUID;

/** The process that had the call is gone: close the call, unless it has ended. */
public record OrphanCall(UUID callId, String deadNode, Instant at) {}
