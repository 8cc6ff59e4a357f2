package gatebook.events;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.KeptContent;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The call ended with a result, and the caller is given it.
 *
 * @param upstreamMillis absent when the answer is our own
 * @param missingSources those that a result of several sources lacks, because they could not be
 *     asked; absent when it lacks none
 */
@Named(name = "CallAnswered", version = "1")
public record CallAnswered(
    UUID callId,
    Outcome outcome,
    KeptContent result,
    int attempts,
    @Nullable Long upstreamMillis,
    long totalMillis,
    @Nullable List<String> missingSources)
    implements CallEnd {

  public CallAnswered {
    missingSources = missingSources == null ? null : List.copyOf(missingSources);
  }

  /** The result lacks nothing. */
  public CallAnswered(
      UUID callId,
      Outcome outcome,
      KeptContent result,
      int attempts,
      @Nullable Long upstreamMillis,
      long totalMillis) {
    this(callId, outcome, result, attempts, upstreamMillis, totalMillis, null);
  }

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
