package gatebook.query.calls;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.Gate;
import org.jspecify.annotations.Nullable;

/**
 * A part of the time that a call took.
 *
 * @param on who had the call
 * @param gate which one, of a gate
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TimeShare(On on, @Nullable Gate gate, long micros) {

  /** Who can have a call. */
  public enum On {
    /** A gate decides. */
    GATE("gate"),
    /** A person is asked. */
    PERSON("person"),
    /** The source has it, or is about to be tried again. */
    UPSTREAM("upstream"),
    /** The source asks the caller. */
    CALLER("caller"),
    /** This node does whatever else is to be done, and waits for the journal. */
    NODE("node");

    private final String word;

    On(String word) {
      this.word = word;
    }

    /** The name outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }

  static TimeShare on(On on, long micros) {
    return new TimeShare(on, null, micros);
  }
}
