package gatebook.api.operator;

/** What following the journal of a server ends in. */
public sealed interface Following {

  /** Whoever took the lines wants no more. */
  record Enough() implements Following {}

  /** The server stopped, or the connection broke or fell silent. */
  record Lost() implements Following {}

  /**
   * There was nothing to follow.
   *
   * @param forNow whether asking again may help
   */
  record Refused(String sentence, boolean forNow) implements Following {}
}
