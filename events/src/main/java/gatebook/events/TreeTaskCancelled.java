package gatebook.events;

import gatebook.events.call.Erasable;
import java.time.Instant;
import java.util.UUID;

/**
 * A task of a tree was cancelled by its owner.
 *
 * @param error the reason; never empty
 * @param callId the call that cancelled it
 */
@Named(name = "TreeTaskCancelled", version = "1")
public record TreeTaskCancelled(
    UUID treeId,
    String taskId,
    String owner,
    @Erasable String error,
    UUID callId,
    Instant cancelledAt)
    implements TreeTaskEvent {}
