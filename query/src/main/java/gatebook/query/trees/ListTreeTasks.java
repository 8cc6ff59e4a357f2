package gatebook.query.trees;

import gatebook.events.tree.TreeStatus;
import java.util.Optional;

/**
 * Lists the tasks of an owner's trees by their creation, newest first. Waits, for a limited time,
 * until the view has reached the head of the journal as it was at the query. The result is a {@link
 * TreeQueries.TaskPage}.
 *
 * @param rootOnly leaves out tasks that have a parent
 * @param offset how many tasks to skip
 */
public record ListTreeTasks(
    String owner, Optional<TreeStatus> status, boolean rootOnly, int limit, int offset) {}
