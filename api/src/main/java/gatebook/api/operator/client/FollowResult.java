package gatebook.api.operator.client;

/** What following the journal of a server ends in. */
public sealed interface FollowResult {

  /** Whoever took the lines wants no more. */
  record Enough() implements FollowResult {}

  /** The server stopped, or the connection broke or fell silent. */
  record Lost() implements FollowResult {}

  /**
   * There was nothing to follow.
   *
   * @param forNow whether asking again may help
   */
  record Refused(String sentence, boolean forNow) implements FollowResult {}
}
