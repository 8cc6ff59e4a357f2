package gatebook.events;

import gatebook.events.call.Erasable;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The approval was rejected by a person. */
@Named(name = "ApprovalRejected", version = "1")
public record ApprovalRejected(
    UUID callId,
    UUID approvalId,
    @Nullable String taskId,
    String by,
    @Erasable @Nullable String reason,
    Instant decidedAt)
    implements ApprovalEvent {}
