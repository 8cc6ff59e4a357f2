package gatebook.events;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The approval timed out: no person decided before the deadline. {@code waitedMillis} is how long
 * there was to decide.
 */
@Named(name = "ApprovalTimedOut", version = "1")
public record ApprovalTimedOut(
    UUID callId, UUID approvalId, @Nullable String taskId, Instant deadline, long waitedMillis)
    implements ApprovalEvent {}
