package gatebook.query.projection;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * How a view is doing.
 *
 * @param position everything up to here is in the view
 * @param lag how many events it is behind the journal
 */
public record Standing(String name, long position, long lag, State state) {

  /** In one word. */
  public enum State {
    UP_TO_DATE("up-to-date"),
    CATCHING_UP("catching-up"),
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
