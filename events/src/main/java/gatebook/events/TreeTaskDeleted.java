package gatebook.events;

import java.time.Instant;
import java.util.UUID;

/**
 * A task of a tree was deleted by its owner, before it ran.
 *
 * @param callId the call that deleted it
 */
@Named(name = "TreeTaskDeleted", version = "1")
public record TreeTaskDeleted(
    UUID treeId, String taskId, String owner, UUID callId, Instant deletedAt)
    implements TreeTaskEvent {}
