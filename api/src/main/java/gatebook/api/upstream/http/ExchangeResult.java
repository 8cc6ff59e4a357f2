package gatebook.api.upstream.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;

/** The result of an HTTP exchange. */
public sealed interface ExchangeResult {

  /** Why there is no answer; empty for an answer. */
  default Optional<String> failure() {
    return switch (this) {
      case Answered _ -> Optional.empty();
      case NotConnected(var reason) -> Optional.of(reason);
      case Overloaded _ -> Optional.of("there is no connection");
      case TimedOut(var millisMax) -> Optional.of("no response within %d ms".formatted(millisMax));
      case Broken(var defect) -> Optional.of(defect.words());
    };
  }

  /**
   * A complete response; for a stream, the event that answered the request.
   *
   * @param body complete and unchanged
   */
  @SuppressWarnings("ArrayRecordComponent") // read once and never compared
  record Answered(int status, HttpHeaders headers, byte[] body) implements ExchangeResult {}

  /** Not a byte of the request was written, and none will be. */
  record NotConnected(String reason) implements ExchangeResult {}

  /** Not a byte of the request was written, because all connections are in use. */
  record Overloaded() implements ExchangeResult {}

  /** The request was written, and no response arrived in time. */
  record TimedOut(long millisMax) implements ExchangeResult {}

  /** At least part of the request was written, and no complete response will arrive. */
  record Broken(Defect defect) implements ExchangeResult {}

  /** Why there is no complete response. */
  enum Defect {
    CLOSED_BEFORE_ANSWER("the connection was closed before an answer"),
    CLOSED_IN_HEADERS("the connection was closed within the answer's headers"),
    CLOSED_IN_BODY("the connection was closed within the answer's body"),
    STREAM_WITHOUT_ANSWER("the stream ended without an answer"),
    NO_HTTP("the answer is not HTTP"),
    HEADERS_TOO_LARGE("the answer's headers are too large"),
    BODY_TOO_LARGE("the answer is too large"),
    COMPRESSED("the answer is compressed, which was not asked for"),
    /** Not the server's: it was dropped because of the other messages in flight. */
    NO_MEMORY("the answer was dropped: there is no memory for it");

    private final String words;

    Defect(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }
}
