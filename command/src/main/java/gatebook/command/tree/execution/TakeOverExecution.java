package gatebook.command.tree.execution;

import java.time.Instant;
import java.util.UUID;

/**
 * Takes over the execution of a tree from a process that died. Of several processes that try, one
 * succeeds.
 *
 * @param startedAt when the dead process started it, or took it over
 */
public record TakeOverExecution(UUID treeId, UUID executionId, Instant startedAt, Instant at)
    implements TreeExecutionCommand {}
