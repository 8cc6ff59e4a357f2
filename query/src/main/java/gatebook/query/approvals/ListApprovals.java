package gatebook.query.approvals;

/**
 * Lists the approvals that were requested. Waits, for a limited time, until the view has reached
 * the head of the journal as it was at the query. The result is a {@link ApprovalQueries.Page}.
 *
 * @param decided lists those that no longer wait, newest first, instead of those that wait, oldest
 *     first
 */
public record ListApprovals(boolean decided, int limit) {}
