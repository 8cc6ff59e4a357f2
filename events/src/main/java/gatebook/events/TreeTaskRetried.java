package gatebook.events;

import gatebook.events.call.Erasable;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task of a tree is tried again: an attempt failed, and another one follows.
 *
 * @param attempt the one that follows
 * @param error why the attempt before failed; never empty
 * @param code the error code of the call to its tool; absent when there was none
 * @param failedCallId that call; absent when none was made
 * @param callId the call that follows; absent when none is to be made
 * @param startsAt when the attempt begins
 */
@Named(name = "TreeTaskRetried", version = "1")
public record TreeTaskRetried(
    UUID treeId,
    String taskId,
    String owner,
    int attempt,
    @Erasable String error,
    @Nullable Integer code,
    @Nullable UUID failedCallId,
    @Nullable UUID callId,
    Instant startsAt,
    Instant retriedAt)
    implements TreeTaskEvent {}
