package gatebook.events;

import gatebook.events.tree.TaskContent;
import java.time.Instant;
import java.util.UUID;

/**
 * A task of a tree was changed by its owner; {@code content} replaces what it was about.
 *
 * @param callId the call that changed it
 */
@Named(name = "TreeTaskUpdated", version = "2")
public record TreeTaskUpdated(
    UUID treeId, String taskId, String owner, TaskContent content, UUID callId, Instant updatedAt)
    implements TreeTaskEvent {}
