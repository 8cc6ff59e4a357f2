package gatebook.events;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task of a tree began to run.
 *
 * @param executionId the execution of the tree that it is part of
 * @param attempt from 1, one more each time the task is executed again
 * @param callId the call to its tool that is to be made; absent for a task without one
 */
@Named(name = "TreeTaskStarted", version = "1")
public record TreeTaskStarted(
    UUID treeId,
    String taskId,
    String owner,
    UUID executionId,
    int attempt,
    @Nullable UUID callId,
    Instant startedAt)
    implements TreeTaskEvent {}
