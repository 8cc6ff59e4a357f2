package gatebook.events;

import gatebook.events.call.Erasable;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task of a tree failed.
 *
 * @param error what its owner is told; never empty
 * @param code the error code of the call to its tool; absent when there was none
 * @param callId the call to its tool; absent when none was made
 */
@Named(name = "TreeTaskFailed", version = "1")
public record TreeTaskFailed(
    UUID treeId,
    String taskId,
    String owner,
    int attempt,
    @Erasable String error,
    @Nullable Integer code,
    @Nullable UUID callId,
    Instant failedAt)
    implements TreeTaskEvent {}
