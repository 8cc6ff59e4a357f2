package gatebook.events;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.Kept;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The call ended with a result, and the caller is given it. {@code upstreamMillis} is absent when
 * the answer is our own.
 */
@Named(name = "CallAnswered", version = "1")
public record CallAnswered(
    UUID callId,
    Outcome outcome,
    Kept result,
    int attempts,
    @Nullable Long upstreamMillis,
    long totalMillis)
    implements CallEnd {

  /** What a result says about itself. */
  public enum Outcome {
    SUCCESS("success"),
    /** A result whose content is the tool's own report of failure. */
    TOOL_ERROR("tool-error");

    private final String word;

    /** That of a result which says, or does not say, that the tool failed. */
    public static Outcome of(boolean toolError) {
      return toolError ? TOOL_ERROR : SUCCESS;
    }

    Outcome(String word) {
      this.word = word;
    }

    /** The name outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }
}
