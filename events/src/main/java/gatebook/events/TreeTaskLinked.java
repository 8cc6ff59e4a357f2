package gatebook.events;

import java.time.Instant;
import java.util.UUID;

/**
 * A task of a tree was linked to another task when it was created. It is completed, has no result
 * of its own, and shows that of the other task.
 *
 * @param originalTreeId the tree of the other task
 * @param originalTaskId the other task; it is no link
 * @param callId the call that created the link
 */
@Named(name = "TreeTaskLinked", version = "1")
public record TreeTaskLinked(
    UUID treeId,
    String taskId,
    String owner,
    UUID originalTreeId,
    String originalTaskId,
    UUID callId,
    Instant linkedAt)
    implements TreeTaskEvent {}
