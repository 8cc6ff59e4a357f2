package gatebook.events;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.UUID;

/** Nobody waits for the call any longer; {@code forwarded} when it may have had its effect. */
@Named(name = "CallAbandoned", version = "1")
public record CallAbandoned(UUID callId, Cause cause, boolean forwarded, long totalMillis)
    implements CallEnd {

  /** How the caller went away. */
  public enum Cause {
    DISCONNECTED("disconnected"),
    CANCELLED("cancelled"),
    /** We did, and the connection with us. */
    RESTARTED("restarted");

    private final String word;

    Cause(String word) {
      this.word = word;
    }

    /** The name outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }
}
