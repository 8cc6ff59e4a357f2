package gatebook.api.http;

/** Holds long-lived responses, which last until their readers disconnect. */
public interface LongLived {

  /**
   * Ends those that last until their readers leave, and those still to be requested, because the
   * servers shut down. A response that ends with an answer waits for it.
   */
  void endStreams();
}
