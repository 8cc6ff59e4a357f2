package gatebook.events;

import gatebook.events.call.SentMessage;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An agent upstream created a task, or a context, for a principal, or the principal gave a context
 * its id: from now on they belong to that principal alone. {@code message} is absent unless the
 * agent created the task for it.
 *
 * <p>A principal whose message is held is told a task and a context before the agent has any. When
 * the message is held, {@code toldContextId} alone says which context that is; when the agent has
 * answered, it and {@code toldTaskId} say what the principal was told instead of the agent's own
 * {@code contextId} and {@code taskId}. Each id may be absent, but not all.
 */
@Named(name = "AgentTaskCreated", version = "1")
public record AgentTaskCreated(
    UUID callId,
    String source,
    String principal,
    @Nullable String taskId,
    @Nullable String contextId,
    Instant createdAt,
    @Nullable SentMessage message,
    @Nullable String toldTaskId,
    @Nullable String toldContextId)
    implements CallEvent {

  /** A task, or a context, whose ids the principal was told. */
  public AgentTaskCreated(
      UUID callId,
      String source,
      String principal,
      @Nullable String taskId,
      @Nullable String contextId,
      Instant createdAt,
      @Nullable SentMessage message) {
    this(callId, source, principal, taskId, contextId, createdAt, message, null, null);
  }

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
