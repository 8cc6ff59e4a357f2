package gatebook.command.tree.execution;

import gatebook.command.tree.ListedTools;
import gatebook.command.tree.TreeCommand;
import gatebook.events.call.Correlation;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Starts the execution of a task: of the whole tree when it is the root, else of the task with what
 * it depends on. Failed tasks of it are pending again.
 *
 * @param cascade whether ended tasks that depend on those are executed again, too
 * @param webhook that is told how it goes on; absent when there is none
 * @param callId the call that asks for it
 * @param correlation of that call, and of those of the tasks
 * @param rulesHash of the rules in force
 * @param listedTools of the executors of the tree
 */
public record StartExecution(
    UUID treeId,
    String owner,
    String taskId,
    UUID executionId,
    boolean cascade,
    @Nullable WebhookDraft webhook,
    UUID callId,
    Correlation correlation,
    Instant at,
    String rulesHash,
    ListedTools listedTools)
    implements TreeCommand {}
