package gatebook.events;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.SentMessage;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task was created: the caller was answered that the call goes on in the background, and with
 * which id to ask for its outcome, in the given {@code form}. After {@code ttlMillis} the outcome
 * is gone. {@code contextId} is absent where the protocol has no conversations, {@code message}
 * where it does not say whether a message is sent again, and {@code agent} unless the call is a
 * message to an agent upstream.
 */
@Named(name = "TaskCreated", version = "1")
public record TaskCreated(
    UUID callId,
    String taskId,
    Form form,
    Instant createdAt,
    long ttlMillis,
    @Nullable String contextId,
    @Nullable SentMessage message,
    @Nullable String agent)
    implements TaskEvent {

  /** A task of no agent upstream. */
  public TaskCreated(
      UUID callId,
      String taskId,
      Form form,
      Instant createdAt,
      long ttlMillis,
      @Nullable String contextId,
      @Nullable SentMessage message) {
    this(callId, taskId, form, createdAt, ttlMillis, contextId, message, null);
  }

  /** A task that belongs to no conversation, and that no message asked for. */
  public TaskCreated(UUID callId, String taskId, Form form, Instant createdAt, long ttlMillis) {
    this(callId, taskId, form, createdAt, ttlMillis, null, null);
  }

  /** The protocol form in which the caller asks for the outcome. */
  public enum Form {
    /** A task, queried with methods of its own. */
    TASK("task"),
    /** A state, sent again with the same call; the call is abandoned when the caller does not. */
    AGAIN("again"),
    /** The gateway made the call itself, for a task of a tree, and waits for the outcome. */
    OWN("own");

    private final String word;

    Form(String word) {
      this.word = word;
    }

    /** The name used outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }
}
