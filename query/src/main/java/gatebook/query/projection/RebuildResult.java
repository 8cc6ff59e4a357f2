package gatebook.query.projection;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * How the last making of a view beside the one that answers has ended.
 *
 * @param from what the view held up to here was taken over
 * @param startedAt RFC 3339, UTC
 * @param endedAt RFC 3339, UTC
 * @param error what went wrong; absent where nothing did
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RebuildResult(
    long from, String startedAt, String endedAt, Outcome outcome, @Nullable String error) {

  /** In one word. */
  public enum Outcome {
    /** The new one answers now. */
    REPLACED("replaced"),
    /** Somebody gave it up, or this node was stopped. */
    CANCELLED("cancelled"),
    FAILED("failed");

    private final String word;

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
