package gatebook.api.upstream.process;

/** What came of one question. */
public sealed interface RequestResult {

  /** For certain, not a byte of it was written. */
  record NotConnected(String reason) implements RequestResult {}

  /** So much waits to be written that it was not even queued, or never came to be. */
  record Overloaded() implements RequestResult {}

  /** It was written, and not answered in time. */
  record TimedOut() implements RequestResult {}

  /** It was written, and there will be no answer; the words are ours. */
  record Broken(String words) implements RequestResult {}

  /**
   * A line that answers it, or that has its id and is nothing that could be read.
   *
   * @param id the token of the id with which it was asked
   */
  @SuppressWarnings("ArrayRecordComponent") // read once and never compared
  record Answered(String id, byte[] line) implements RequestResult {}
}
