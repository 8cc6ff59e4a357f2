package gatebook.events;

import java.time.Instant;
import java.util.UUID;

/**
 * A completed task of a tree was archived by its owner: it never changes again.
 *
 * @param callId the call that archived it
 */
@Named(name = "TreeTaskArchived", version = "1")
public record TreeTaskArchived(
    UUID treeId, String taskId, String owner, UUID callId, Instant archivedAt)
    implements TreeTaskEvent {}
