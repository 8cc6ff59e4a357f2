package gatebook.query.projection;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * How a view is doing.
 *
 * @param position everything up to here is in the view
 * @param lag how many events it is behind the journal
 * @param parked how many events it could not take in, and put aside
 * @param failure why the newest batch failed; absent when it did not
 * @param replay how far its making anew has come; absent when it is not made anew
 * @param lastReplay how that ended last, since this node was started
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

  /** In one word. */
  public enum State {
    UP_TO_DATE("up-to-date"),
    CATCHING_UP("catching-up"),
    /** It is made for the first time, and answers nothing until it is whole. */
    MAKING("making"),
    /** The newest batch failed; it is tried again. */
    FAILING("failing"),
    STOPPED("stopped");

    private final String word;

    State(String word) {
      this.word = word;
    }

    /** The name outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }
}
