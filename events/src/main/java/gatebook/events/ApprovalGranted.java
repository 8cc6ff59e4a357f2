package gatebook.events;

import gatebook.events.call.Erasable;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The approval was granted: by a person, or, when {@code by} is absent, by the workflow at the
 * deadline.
 */
@Named(name = "ApprovalGranted", version = "1")
public record ApprovalGranted(
    UUID callId,
    UUID approvalId,
    @Nullable String taskId,
    @Nullable String by,
    @Erasable @Nullable String reason,
    Instant decidedAt)
    implements ApprovalEvent {}
