package gatebook.api.upstream.http;

import io.netty.handler.codec.http.HttpHeaders;

/** How a request ended. */
public sealed interface ExchangeResult {

  /**
   * A whole answer; of a stream, the event that was waited for.
   *
   * @param body complete, as it came
   */
  @SuppressWarnings("ArrayRecordComponent") // read once and never compared
  record Answered(int status, HttpHeaders headers, byte[] body) implements ExchangeResult {}

  /** Not a byte of the request was written, and none will be. */
  record NotConnected(String reason) implements ExchangeResult {}

  /** Not a byte of the request was written: all connections are in use. */
  record Overloaded() implements ExchangeResult {}

  /** The request was written, and its answer was not there in time. */
  record TimedOut(long millisMax) implements ExchangeResult {}

  /** The request was written, at least in part, and will never get a whole answer. */
  record Broken(Defect defect) implements ExchangeResult {}

  /** Why there is no whole answer. */
  enum Defect {
    CLOSED_BEFORE_ANSWER("the connection was closed before an answer"),
    CLOSED_IN_HEADERS("the connection was closed within the answer's headers"),
    CLOSED_IN_BODY("the connection was closed within the answer's body"),
    STREAM_WITHOUT_ANSWER("the stream ended without an answer"),
    NO_HTTP("the answer is not HTTP"),
    HEADERS_TOO_LARGE("the answer's headers are too large"),
    BODY_TOO_LARGE("the answer is too large");

    private final String words;

    Defect(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }
}
