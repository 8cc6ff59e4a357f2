package gatebook.events;

/**
 * An event of a task: a call whose caller asks for its outcome later. It is also found by the tag
 * {@code task}.
 */
public sealed interface TaskEvent extends CallEvent permits TaskCreated, ResultKept {

  /** An unguessable id: only a caller that knows it, and has the principal of the call, may ask. */
  String taskId();
}
