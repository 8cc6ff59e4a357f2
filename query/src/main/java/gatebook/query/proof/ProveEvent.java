package gatebook.query.proof;

/** Proves the event at a position. The result is a {@link InclusionProof}. */
public record ProveEvent(long position) {}
