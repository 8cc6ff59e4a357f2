package gatebook.query.call;

import com.fasterxml.jackson.annotation.JsonValue;

/** The status of a call. */
public enum CallStatus {
  ANSWERED("answered"),
  FAILED("failed"),
  DENIED("denied"),
  /** The call is waiting in this node and was not forwarded. */
  HELD("held"),
  FORWARDED("forwarded"),
  /** The call did not reach a gate. */
  REFUSED("refused"),
  ABANDONED("abandoned"),
  ORPHANED("orphaned");

  private final String word;

  CallStatus(String word) {
    this.word = word;
  }

  /** The name used outside this program; it never changes. */
  @JsonValue
  public String word() {
    return word;
  }
}
