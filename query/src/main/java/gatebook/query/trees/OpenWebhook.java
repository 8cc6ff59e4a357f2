package gatebook.query.trees;

import java.time.Instant;
import java.util.UUID;

/**
 * An open webhook of an execution that ended: its last message was neither delivered nor given up.
 *
 * @param taskId the task that was executed
 * @param node the node that delivers it
 * @param claimedAt since when
 */
public record OpenWebhook(
    UUID executionId, UUID treeId, String owner, String taskId, String node, Instant claimedAt) {}
