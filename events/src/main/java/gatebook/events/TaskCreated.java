package gatebook.events;

import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.UUID;

/**
 * The caller is told that the call goes on without him, and by which id he can come for its
 * outcome: {@code form} says in which words. Who comes after {@code ttlMillis} finds nothing.
 */
@Named(name = "TaskCreated", version = "1")
public record TaskCreated(UUID callId, String taskId, Form form, Instant createdAt, long ttlMillis)
    implements TaskEvent {

  /** What a caller can be told to come back with. */
  public enum Form {
    /** A task, after which he asks with methods of its own. */
    TASK("task"),
    /** A state, with which he sends the same call again; it is abandoned when he does not. */
    AGAIN("again");

    private final String word;

    Form(String word) {
      this.word = word;
    }

    /** The name outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }
}
