package gatebook.query.proof;

import java.util.UUID;

/** Proves the events of a call. The result is a {@link InclusionProof}. */
public record ProveCall(UUID callId) {}
