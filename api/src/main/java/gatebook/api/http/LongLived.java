package gatebook.api.http;

/** Holds long-lived responses, which last until their readers disconnect. */
public interface LongLived {

  /** Ends these responses, and those still to be requested, because the servers shut down. */
  void endStreams();
}
