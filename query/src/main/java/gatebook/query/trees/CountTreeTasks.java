package gatebook.query.trees;

/**
 * Counts the tasks of an owner for each status, all at one moment. The result is a {@link
 * TreeQueries.TaskCounts}.
 *
 * @param rootOnly whether only the roots of trees are counted
 */
public record CountTreeTasks(String owner, boolean rootOnly) {}
