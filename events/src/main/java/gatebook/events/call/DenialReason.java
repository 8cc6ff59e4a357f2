package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonValue;

/** The reason why a gate denied a call: a closed list, short enough to be a metric's label. */
public enum DenialReason implements Word {
  SOURCE_UNKNOWN("source-unknown"),
  SOURCE_DISABLED("source-disabled"),
  NOT_EXPOSED("not-exposed"),
  RULE("rule"),
  DEFAULT_ACTION("default-action"),
  POLICY_FORBIDS("policy-forbids"),
  NO_POLICY_PERMITS("no-policy-permits"),
  POLICY_ERROR("policy-error"),
  REJECTED("rejected"),
  TIMED_OUT("timed-out"),
  WORKFLOW_NOT_FOUND("workflow-not-found"),
  /** A notification that needs an approval: no caller waits for it, so none is requested. */
  NOT_ASKED("not-asked");

  private final String word;

  DenialReason(String word) {
    this.word = word;
  }

  @Override
  @JsonValue
  public String word() {
    return word;
  }
}
