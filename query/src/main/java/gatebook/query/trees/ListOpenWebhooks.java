package gatebook.query.trees;

/**
 * Lists the open webhooks of executions that ended, as far as they were claimed up to a position.
 * Waits without limit until the view has reached the position. The result is a {@link
 * TreeQueries.OpenWebhooks}.
 */
public record ListOpenWebhooks(long upToPosition) {}
