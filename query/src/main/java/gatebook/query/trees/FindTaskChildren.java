package gatebook.query.trees;

import java.util.UUID;

/**
 * Finds out whether a task has children. Waits, for a limited time, until the view has reached the
 * head of the journal as it was at the query. The result is a {@link TreeQueries.TaskChildren}.
 */
public record FindTaskChildren(UUID treeId, String taskId) {}
