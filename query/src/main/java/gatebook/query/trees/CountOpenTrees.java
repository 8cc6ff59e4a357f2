package gatebook.query.trees;

/**
 * Counts the open trees of an owner: those with a task that is pending or in progress. Waits, for a
 * limited time, until the view has reached the head of the journal as it was at the query. The
 * result is a {@link TreeQueries.OpenTreeCount}.
 */
public record CountOpenTrees(String owner) {}
