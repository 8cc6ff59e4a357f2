package gatebook.query.proof;

import gatebook.events.journal.checkpoint.ConsistencyFile;

/** The result of proving that a checkpoint of a journal goes on from another one. */
public sealed interface ConsistencyResult {

  /**
   * It does.
   *
   * @param from the size of the older one
   * @param to the size of the newer one
   */
  record Proven(long from, long to, ConsistencyFile file) implements ConsistencyResult {}

  /** There is no proof; the sentence says why. */
  record NotProven(String sentence) implements ConsistencyResult {}
}
