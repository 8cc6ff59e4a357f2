package gatebook.api.operator.client;

/** The result of following a server's event tail. */
public sealed interface FollowResult {

  /** The consumer of the lines wants no others. */
  record Finished() implements FollowResult {}

  /** The server stopped, or the connection was lost or idle for too long. */
  record Lost() implements FollowResult {}

  /**
   * The server refused, or was not reached.
   *
   * @param mayRetry whether a retry may succeed
   */
  record Refused(String sentence, boolean mayRetry) implements FollowResult {}
}
