package gatebook.events.tree;

import com.fasterxml.jackson.annotation.JsonValue;

/** The status of a task of a tree, and that of a tree when an execution of it has ended. */
public enum TreeStatus {
  PENDING("pending"),
  IN_PROGRESS("in_progress"),
  COMPLETED("completed"),
  FAILED("failed"),
  CANCELLED("cancelled");

  private final String word;

  TreeStatus(String word) {
    this.word = word;
  }

  /** The name used outside this program; it never changes. */
  @JsonValue
  public String word() {
    return word;
  }

  /** Whether nothing follows unless the task is executed again. */
  public boolean isTerminal() {
    return switch (this) {
      case PENDING, IN_PROGRESS -> false;
      case COMPLETED, FAILED, CANCELLED -> true;
    };
  }
}
