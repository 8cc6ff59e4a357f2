package gatebook.query.projection;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The status of a view.
 *
 * @param position everything up to this position is in the view
 * @param lag how many events the view is behind the journal
 * @param parked the number of events that the view could not handle and parked
 * @param failure the error of the newest batch; absent when it succeeded
 * @param replay the progress of the running rebuild; absent when none is running
 * @param lastReplay the result of the last rebuild since this node was started
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ViewStatus(
    String name,
    long position,
    long lag,
    State state,
    long parked,
    @Nullable String failure,
    @Nullable RebuildProgress replay,
    @Nullable RebuildResult lastReplay) {

  /** The same status of a view under another of its names. */
  public ViewStatus of(String otherName) {
    return new ViewStatus(otherName, position, lag, state, parked, failure, replay, lastReplay);
  }

  /** The state in one word. */
  public enum State {
    UP_TO_DATE("up-to-date"),
    CATCHING_UP("catching-up"),
    /** The view is being built for the first time, and cannot be queried until it is complete. */
    MAKING("making"),
    /** The newest batch failed and is retried. */
    FAILING("failing"),
    STOPPED("stopped");

    private final String word;

    State(String word) {
      this.word = word;
    }

    /** The name used outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }
}
