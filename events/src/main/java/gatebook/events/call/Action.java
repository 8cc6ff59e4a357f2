package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonValue;

/** The action that a governance rule, or the default when no rule matches, takes on a call. */
public enum Action {
  FORWARD("forward"),
  APPROVE("approve"),
  DENY("deny"),
  POLICY("policy");

  private final String word;

  Action(String word) {
    this.word = word;
  }

  /** The name used outside this program; it never changes. */
  @JsonValue
  public String word() {
    return word;
  }
}
