package gatebook.command.tree;

import gatebook.command.tree.SettleTreeTask.Ending;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Retries a task of a tree that runs: its attempt failed, and another one is to follow.
 *
 * @param attempt the one that failed
 * @param failedCallId the call to its tool; absent when none was made
 * @param callId the call that is to follow; absent when none is to be made
 * @param startsAt when the next attempt begins
 */
public record RetryTreeTask(
    TaskKey key,
    int attempt,
    Ending.Failure failure,
    @Nullable UUID failedCallId,
    @Nullable UUID callId,
    Instant startsAt,
    Instant at)
    implements TreeTaskCommand {}
