package gatebook.events;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Nobody decided in time; {@code waitedMillis} tells how long somebody could have. */
@Named(name = "ApprovalTimedOut", version = "1")
public record ApprovalTimedOut(
    UUID callId, UUID approvalId, @Nullable String taskId, Instant deadline, long waitedMillis)
    implements ApprovalEvent {}
