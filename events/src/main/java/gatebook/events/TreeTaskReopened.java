package gatebook.events;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An ended task of a tree is pending again, because its owner executes it again.
 *
 * @param cascadeFrom the failed task on which it depends; absent for a failed task
 * @param callId the call that executes it again
 */
@Named(name = "TreeTaskReopened", version = "1")
public record TreeTaskReopened(
    UUID treeId,
    String taskId,
    String owner,
    @Nullable String cascadeFrom,
    UUID callId,
    Instant reopenedAt)
    implements TreeTaskEvent {}
