package gatebook.events;

/**
 * Something that concerns a call whose caller comes for its outcome; found also by {@code task}.
 */
public sealed interface TaskEvent extends CallEvent permits TaskCreated, ResultKept {

  /** Unguessable: whoever knows it, and is who the call is of, may ask. */
  String taskId();
}
