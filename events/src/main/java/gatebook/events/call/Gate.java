package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonValue;

/** The four gates, in the order in which a call meets them. */
public enum Gate {
  VISIBILITY("visibility"),
  GOVERNANCE("governance"),
  POLICY("policy"),
  APPROVAL("approval");

  private final String word;

  Gate(String word) {
    this.word = word;
  }

  /** The name outside this program; it never changes. */
  @JsonValue
  public String word() {
    return word;
  }
}
