package gatebook.events;

import gatebook.events.call.Correlation;
import gatebook.events.tree.TreeWebhook;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The execution of a tree began, or was taken over from a process that died.
 *
 * @param taskId the task that was named: the root for the whole tree, else that task with what it
 *     depends on
 * @param callId the call that asked for it
 * @param webhook that is told how it goes on; absent when there is none
 * @param correlation of the call that asked for it and of the calls of its tasks; absent in events
 *     that were written before calls of tasks had the correlation of their execution
 */
@Named(name = "TreeExecutionStarted", version = "2")
public record TreeExecutionStarted(
    UUID treeId,
    String owner,
    UUID executionId,
    String taskId,
    UUID callId,
    boolean takenOver,
    Instant startedAt,
    @Nullable TreeWebhook webhook,
    @Nullable Correlation correlation)
    implements TreeExecutionEvent {}
