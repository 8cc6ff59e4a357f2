package gatebook.query.trees;

/**
 * Counts the trees of an owner. Waits, for a limited time, until the view has reached the head of
 * the journal as it was at the query. The result is a {@link TreeQueries.TreeCount}.
 */
public record CountTrees(String owner) {}
