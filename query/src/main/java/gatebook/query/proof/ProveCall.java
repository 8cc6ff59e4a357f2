package gatebook.query.proof;

import java.util.UUID;

/** Proves the events of a call. The result is a {@link Proof}. */
public record ProveCall(UUID callId) {}
