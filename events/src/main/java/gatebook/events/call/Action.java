package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonValue;

/** What a governance rule, or the default when none matches, does with a call. */
public enum Action {
  FORWARD("forward"),
  APPROVE("approve"),
  DENY("deny"),
  POLICY("policy");

  private final String word;

  Action(String word) {
    this.word = word;
  }

  /** The name outside this program; it never changes. */
  @JsonValue
  public String word() {
    return word;
  }
}
