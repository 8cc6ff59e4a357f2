package gatebook.query.call;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.Gate;
import org.jspecify.annotations.Nullable;

/**
 * A share of the time that a call took.
 *
 * @param on who had the call
 * @param gate which gate, when a gate had it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TimeShare(On on, @Nullable Gate gate, long micros) {

  /** Who can have a call. */
  public enum On {
    /** A gate is deciding. */
    GATE("gate"),
    /** The call is held until a person has decided. */
    PERSON("person"),
    /** The upstream has the call, or a retry is about to start. */
    UPSTREAM("upstream"),
    /** The source waits for the caller's reply to its question. */
    CALLER("caller"),
    /** This node does other work, such as waiting for the journal. */
    NODE("node");

    private final String word;

    On(String word) {
      this.word = word;
    }

    /** The name used outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }

  static TimeShare on(On on, long micros) {
    return new TimeShare(on, null, micros);
  }
}
