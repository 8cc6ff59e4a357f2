package gatebook.query.calls;

/**
 * Lists the calls that began up to a position and have not ended. Waits without limit until the
 * view has reached the position. The result is a {@link CallQueries.OpenCalls}.
 */
public record ListOpenCalls(long upToPosition) {}
