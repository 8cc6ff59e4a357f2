package gatebook.events;

import gatebook.events.call.SentMessage;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An agent upstream created a task, or a context, for a principal, or the principal gave a context
 * its id: from now on they belong to that principal alone. Either may be absent, but not both.
 * {@code message} is absent unless the agent created the task for it.
 */
@Named(name = "AgentTaskCreated", version = "1")
public record AgentTaskCreated(
    UUID callId,
    String source,
    String principal,
    @Nullable String taskId,
    @Nullable String contextId,
    Instant createdAt,
    @Nullable SentMessage message)
    implements CallEvent {

  /** A task, or a context, that no message is remembered for. */
  public AgentTaskCreated(
      UUID callId,
      String source,
      String principal,
      @Nullable String taskId,
      @Nullable String contextId,
      Instant createdAt) {
    this(callId, source, principal, taskId, contextId, createdAt, null);
  }
}
