package gatebook.events;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.KeptContent;
import gatebook.events.call.StreamSummary;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The call ended with a result, which is sent to the caller.
 *
 * @param upstreamMillis absent when the gateway itself made the result
 * @param missingSources the sources that could not be asked, when the result combines several;
 *     absent when none is missing
 * @param stream what came before the result, which is its last item; absent when there was no
 *     stream
 */
@Named(name = "CallAnswered", version = "1")
public record CallAnswered(
    UUID callId,
    Outcome outcome,
    KeptContent result,
    int attempts,
    @Nullable Long upstreamMillis,
    long totalMillis,
    @Nullable List<String> missingSources,
    @Nullable StreamSummary stream)
    implements CallEnd {

  public CallAnswered {
    missingSources = missingSources == null ? null : List.copyOf(missingSources);
  }

  /** A result that lacks no source and is no stream. */
  public CallAnswered(
      UUID callId,
      Outcome outcome,
      KeptContent result,
      int attempts,
      @Nullable Long upstreamMillis,
      long totalMillis) {
    this(callId, outcome, result, attempts, upstreamMillis, totalMillis, null, null);
  }

  /** Whether the result reports success. */
  public enum Outcome {
    SUCCESS("success"),
    /** A result whose content is the tool's own report of a failure. */
    TOOL_ERROR("tool-error");

    private final String word;

    public static Outcome of(boolean toolError) {
      return toolError ? TOOL_ERROR : SUCCESS;
    }

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
