package gatebook.command.tree;

import java.time.Instant;
import java.util.UUID;

/**
 * Cancels a task of a tree that has not ended.
 *
 * @param error the reason; never empty
 * @param callId the call that asks for it
 */
public record CancelTreeTask(TaskKey key, String error, UUID callId, Instant at)
    implements TreeTaskCommand {}
