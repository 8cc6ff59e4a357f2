package gatebook.events;

import gatebook.events.call.Erasable;
import gatebook.events.call.KeptContent;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task of a tree was completed.
 *
 * @param callId the call to its tool; absent for a task without one
 * @param kept what the journal keeps of the result for operators
 * @param result the JSON of the result; absent only when it cannot be read
 */
@Named(name = "TreeTaskCompleted", version = "2")
public record TreeTaskCompleted(
    UUID treeId,
    String taskId,
    String owner,
    int attempt,
    @Nullable UUID callId,
    KeptContent kept,
    @Erasable(isOriginal = true) @Nullable String result,
    Instant completedAt)
    implements TreeTaskEvent {}
