package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonValue;

/** The gates, in the order in which they decide on a call. */
public enum Gate implements Word {
  VISIBILITY("visibility"),
  GOVERNANCE("governance"),
  POLICY("policy"),
  APPROVAL("approval");

  private final String word;

  Gate(String word) {
    this.word = word;
  }

  @Override
  @JsonValue
  public String word() {
    return word;
  }
}
