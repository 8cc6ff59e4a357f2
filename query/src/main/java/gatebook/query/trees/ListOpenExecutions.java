package gatebook.query.trees;

/**
 * Lists the executions of trees that started up to a position and have not ended. Waits without
 * limit until the view has reached the position. The result is a {@link
 * TreeQueries.OpenExecutions}.
 */
public record ListOpenExecutions(long upToPosition) {}
