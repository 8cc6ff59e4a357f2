package gatebook.api.upstream.process;

/** The result of one request. */
public sealed interface RequestResult {

  /** Not a byte of the request was written. */
  record NotConnected(String reason) implements RequestResult {}

  /** The queue was full, or the request was still queued when its time was over. */
  record Overloaded() implements RequestResult {}

  /** The request was written and not answered in time. */
  record TimedOut() implements RequestResult {}

  /** The request was written, and no answer will arrive; the words are Gatebook's own. */
  record Broken(String words) implements RequestResult {}

  /** The request was written, and there was no memory for the answer. */
  record AnswerDropped() implements RequestResult {}

  /**
   * A line that answers the request, or has its id and cannot be read.
   *
   * @param id the token of the request's id
   */
  @SuppressWarnings("ArrayRecordComponent") // read once and never compared
  record Answered(String id, byte[] line) implements RequestResult {}
}
