package gatebook.api.http;

/** A controller whose answers last until their readers go. */
public interface LongLived {

  /** Ends them, and those that are still asked for: the doors close. */
  void end();
}
