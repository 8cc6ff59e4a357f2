package gatebook.query.calls;

/**
 * Finds the ids of the calls that have an id, newest first, without opening their events.
 *
 * @param id any id of a call: its own, or that of its correlation, trace, task or approval
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 */
public record FindCallIds(String id, long atLeast) {}
