package gatebook.command.call;

import java.time.Instant;
import java.util.UUID;

/** Closes a call that a dead process left open, unless it has ended. */
public record OrphanCall(UUID callId, String deadNode, Instant at) implements CallCommand {}
