package gatebook.api.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.TooLongFrameException;
import java.util.Optional;

/**
 * Requests that the server could not read. It goes on with what it has of them, which is no more
 * what was sent: nobody may ask it for a name.
 */
final class UnreadableRequests {

  private UnreadableRequests() {}

  /** Why it could not be read; empty when it could. */
  static Optional<HttpError> why(HttpRequest<?> request) {
    return request instanceof NettyHttpRequest<?> netty
        ? why(netty.getNativeRequest())
        : Optional.empty();
  }

  private static Optional<HttpError> why(io.netty.handler.codec.http.HttpRequest request) {
    DecoderResult read = request.decoderResult();
    if (read.isFailure()) {
      return Optional.of(
          read.cause() instanceof TooLongFrameException
              ? HttpError.HEADER_TOO_LARGE
              : HttpError.BAD_REQUEST);
    }
    return isStandIn(request) ? Optional.of(HttpError.BAD_REQUEST) : Optional.empty();
  }

  /** What takes the place of a request whose address is none has its method only. */
  private static boolean isStandIn(io.netty.handler.codec.http.HttpRequest request) {
    return request.headers().isEmpty() && request.uri().equals("/");
  }
}
