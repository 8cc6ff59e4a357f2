package gatebook.query.projection;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The result of the last rebuild of a view.
 *
 * @param from the position up to which the view's content was copied
 * @param startedAt RFC 3339, UTC
 * @param endedAt RFC 3339, UTC
 * @param error what failed; absent when nothing did
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RebuildResult(
    long from, String startedAt, String endedAt, Outcome outcome, @Nullable String error) {

  /** The outcome in one word. */
  public enum Outcome {
    /** The rebuilt view has replaced the old one. */
    REPLACED("replaced"),
    /** An operator cancelled the rebuild, or this node was stopped. */
    CANCELLED("cancelled"),
    FAILED("failed");

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
