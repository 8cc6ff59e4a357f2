package gatebook.events;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A person said yes, or, when {@code by} is absent, the workflow did because nobody decided. */
@Named(name = "ApprovalGranted", version = "1")
public record ApprovalGranted(
    UUID callId,
    UUID approvalId,
    @Nullable String taskId,
    @Nullable String by,
    @Nullable String reason,
    Instant decidedAt)
    implements ApprovalEvent {}
