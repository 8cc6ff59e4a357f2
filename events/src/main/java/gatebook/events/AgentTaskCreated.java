package gatebook.events;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An agent upstream created a task, or a context, for a principal: from now on they are the
 * principal's, and nobody else's. Either may be absent, but not both.
 */
@Named(name = "AgentTaskCreated", version = "1")
public record AgentTaskCreated(
    UUID callId,
    String source,
    String principal,
    @Nullable String taskId,
    @Nullable String contextId,
    Instant createdAt)
    implements CallEvent {}
