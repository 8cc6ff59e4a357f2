package gatebook.api.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.TooLongFrameException;
import java.util.Optional;

/**
 * Recognises requests that the server could not read. The server goes on with a part of them, which
 * is not what was sent, so its host must not be used.
 */
final class UnreadableRequests {

  private UnreadableRequests() {}

  /** The error of a request that could not be read; empty when it could. */
  static Optional<HttpError> errorOf(HttpRequest<?> request) {
    return request instanceof NettyHttpRequest<?> netty
        ? errorOf(netty.getNativeRequest())
        : Optional.empty();
  }

  private static Optional<HttpError> errorOf(io.netty.handler.codec.http.HttpRequest request) {
    DecoderResult read = request.decoderResult();
    if (read.isFailure()) {
      return Optional.of(
          read.cause() instanceof TooLongFrameException
              ? HttpError.HEADER_TOO_LARGE
              : HttpError.BAD_REQUEST);
    }
    return isStandIn(request) ? Optional.of(HttpError.BAD_REQUEST) : Optional.empty();
  }

  /** For a request with an invalid URI the server substitutes one that has only the method. */
  private static boolean isStandIn(io.netty.handler.codec.http.HttpRequest request) {
    return request.headers().isEmpty() && request.uri().equals("/");
  }
}
