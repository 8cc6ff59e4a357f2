package gatebook.query.calls;

/**
 * Finds the newest activation of rules before a position. The result is a {@link
 * CallQueries.FoundActivation}.
 */
public record FindActivation(String rulesHash, long before) {}
