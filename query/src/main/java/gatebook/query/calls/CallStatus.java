package gatebook.query.calls;

import com.fasterxml.jackson.annotation.JsonValue;

/** Where a call stands. */
public enum CallStatus {
  ANSWERED("answered"),
  FAILED("failed"),
  DENIED("denied"),
  /** It is with us, and nothing has been forwarded. */
  HELD("held"),
  FORWARDED("forwarded"),
  /** It never got as far as a gate. */
  REFUSED("refused"),
  ABANDONED("abandoned"),
  ORPHANED("orphaned");

  private final String word;

  CallStatus(String word) {
    this.word = word;
  }

  /** The name outside this program; it never changes. */
  @JsonValue
  public String word() {
    return word;
  }
}
