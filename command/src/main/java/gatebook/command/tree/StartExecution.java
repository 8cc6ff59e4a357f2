package gatebook.command.tree;

import java.time.Instant;
import java.util.UUID;

/**
 * Starts the execution of a task: of the whole tree when it is the root, else of the task with what
 * it depends on. Failed tasks of it are pending again.
 *
 * @param cascade whether ended tasks that depend on those are executed again, too
 * @param callId the call that asks for it
 */
public record StartExecution(
    UUID treeId,
    String owner,
    String taskId,
    UUID executionId,
    boolean cascade,
    UUID callId,
    Instant at)
    implements TreeCommand {}
