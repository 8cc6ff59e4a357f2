package gatebook.query.calls;

/** The state of a task of a call, as the task's caller sees it. */
public enum CallTaskState {
  /** It waits for an approval. */
  WAITING("waiting"),
  WORKING("working"),
  COMPLETED("completed"),
  FAILED("failed"),
  /** A gate denied it after it was created. */
  DENIED("denied"),
  CANCELLED("cancelled"),
  /** It was held, and is now a task of an agent, which has its state. */
  AT_AGENT("at-agent");

  private final String word;

  CallTaskState(String word) {
    this.word = word;
  }

  /** The word in the view. */
  String word() {
    return word;
  }
}
