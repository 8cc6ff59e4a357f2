package gatebook.query.calls;

import java.time.Instant;
import java.util.Optional;

/**
 * Lists a caller's tasks of calls that belong to a conversation, the latest state first. Waits, for
 * a limited time, until the view has reached the head of the journal as it was at the query. The
 * result is a {@link CallTaskPage}.
 *
 * @param principal the name of the caller
 * @param agent the agent upstream whose held messages are wanted; empty for the tasks of none
 * @param changedSince when the wanted tasks entered their state at the earliest
 * @param at leaves out tasks whose time to live has passed by then
 * @param after the cursor from the previous page
 */
public record ListCallTasks(
    String principal,
    Optional<String> agent,
    Optional<String> contextId,
    Optional<CallTaskState> state,
    Optional<Instant> changedSince,
    Instant at,
    int limit,
    Optional<CallTaskCursor> after) {}
