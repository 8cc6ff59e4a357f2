package gatebook.events;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.KeptContent;
import java.util.UUID;

/** The caller replied to a question of a source; the reply is about to be sent to the source. */
@Named(name = "CallerReplied", version = "1")
public record CallerReplied(
    UUID callId, String source, String question, Outcome outcome, KeptContent content)
    implements CallEvent {

  /** The kind of the reply. */
  public enum Outcome {
    RESULT("result"),
    ERROR("error");

    private final String word;

    Outcome(String word) {
      this.word = word;
    }

    /** The name used outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }
}
