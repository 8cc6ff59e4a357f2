package gatebook.command.tree.execution;

import java.time.Instant;
import java.util.UUID;

/**
 * Takes over the webhook of an execution that ended from a process that died. Of several processes
 * that try, one succeeds.
 *
 * @param claimedAt when the dead process started the execution, or took it or its webhook over
 */
public record TakeOverWebhook(UUID executionId, Instant claimedAt, Instant at)
    implements TreeExecutionCommand {}
