package gatebook.query.proof;

/** Proves the event at a position. The result is a {@link Proof}. */
public record ProveEvent(long position) {}
