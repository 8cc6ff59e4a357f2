package gatebook.command.call;

/** The state of a task. */
public sealed interface TaskState permits TaskState.Waiting, TaskState.Working, CallOutcome {

  /** It waits for an approval. */
  record Waiting() implements TaskState {}

  /** It needs no approval any more, and its outcome is not known yet. */
  record Working() implements TaskState {}

  /** Whether the state is final. */
  default boolean isFinal() {
    return this instanceof CallOutcome;
  }
}
