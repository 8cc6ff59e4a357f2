package gatebook.query.trees;

import java.time.Instant;
import java.util.UUID;

/**
 * An open execution of a tree: it started and has not ended.
 *
 * @param taskId the task that was named: the root for the whole tree
 * @param node the node that runs it
 */
public record OpenExecution(
    UUID executionId, UUID treeId, String owner, String taskId, String node, Instant startedAt) {}
