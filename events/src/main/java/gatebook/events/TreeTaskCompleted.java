package gatebook.events;

import gatebook.events.call.KeptContent;
import gatebook.events.call.SealedContent;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task of a tree was completed.
 *
 * @param callId the call to its tool; absent for a task without one
 * @param kept what the journal keeps of the result for operators
 * @param result the JSON of the result, sealed
 */
@Named(name = "TreeTaskCompleted", version = "1")
public record TreeTaskCompleted(
    UUID treeId,
    String taskId,
    String owner,
    int attempt,
    @Nullable UUID callId,
    KeptContent kept,
    SealedContent result,
    Instant completedAt)
    implements TreeTaskEvent {}
