package gatebook.events;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.UUID;

/**
 * The call was abandoned: no caller waits for it any longer. {@code forwarded} when it may have had
 * its effect.
 */
@Named(name = "CallAbandoned", version = "1")
public record CallAbandoned(UUID callId, Cause cause, boolean forwarded, long totalMillis)
    implements CallEnd {

  /** Why no caller waits any longer. */
  public enum Cause {
    DISCONNECTED("disconnected"),
    CANCELLED("cancelled"),
    /** The gateway restarted, which closed the connection. */
    RESTARTED("restarted");

    private final String word;

    Cause(String word) {
      this.word = word;
    }

    /** The name used outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }
}
