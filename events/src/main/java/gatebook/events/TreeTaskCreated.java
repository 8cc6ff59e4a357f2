package gatebook.events;

import gatebook.events.tree.TaskContent;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task of a tree was created. The root of a tree has no parent.
 *
 * @param callId the call that created it
 */
@Named(name = "TreeTaskCreated", version = "2")
public record TreeTaskCreated(
    UUID treeId,
    String taskId,
    String owner,
    @Nullable String parentId,
    TaskContent content,
    UUID callId,
    Instant createdAt)
    implements TreeTaskEvent {}
