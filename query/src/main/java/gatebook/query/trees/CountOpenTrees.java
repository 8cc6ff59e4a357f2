package gatebook.query.trees;

/**
 * Counts the open trees of an owner: those with a task that is pending or in progress. It does not
 * wait for the view, so the latest changes may be missing. The result is a {@link
 * TreeQueries.OpenTreeCount}.
 */
public record CountOpenTrees(String owner) {}
