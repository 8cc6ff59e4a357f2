package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonValue;

/** The cause of an erasure of content. */
public enum ErasureCause implements Word {
  /** An operator asked for it. */
  FORGET("forget"),
  /** It is older than content is kept. */
  RETENTION("retention"),
  /** Events are older than they are kept, and would be dropped for good with their content. */
  DROP("drop");

  private final String word;

  ErasureCause(String word) {
    this.word = word;
  }

  @Override
  @JsonValue
  public String word() {
    return word;
  }
}
