package gatebook.api.upstream.http;

import gatebook.command.rules.ClientTlsFiles;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Sends single messages to any addresses. */
public final class SingleMessages implements AutoCloseable {
  private final SingleRequests singleRequests = new SingleRequests();

  /**
   * A message.
   *
   * @param isPut whether it is put, and not posted
   */
  @SuppressWarnings("ArrayRecordComponent") // sent once and never compared
  public record Message(
      URI url, boolean isPut, String contentType, Map<String, String> headers, byte[] body) {

    private HttpHeaders allHeaders() {
      HttpHeaders all = DefaultHttpHeadersFactory.headersFactory().newHeaders();
      all.set(HttpHeaderNames.CONTENT_TYPE, contentType);
      headers.forEach(all::set);
      return all;
    }
  }

  /**
   * The bounds of a message and its response.
   *
   * @param millisMax until the whole response is there
   */
  public record Bounds(
      long millisMax, long connectMillisMax, int headerBytesMax, long answerBytesMax) {

    private ConnectionLimits connectionLimits() {
      return SingleRequests.limits(millisMax, connectMillisMax, headerBytesMax, answerBytesMax);
    }
  }

  /** Never completed once this is closed: a message that was not sent did not fail. */
  public CompletableFuture<ExchangeResult> send(Message message, Bounds bounds) {
    return send(message, bounds, ClientTlsFiles.NONE);
  }

  /** The same with these files, which are read now. May block. */
  public CompletableFuture<ExchangeResult> send(
      Message message, Bounds bounds, ClientTlsFiles tls) {
    long millis = bounds.millisMax;
    Timeouts timeouts = new Timeouts(millis, millis, millis, millis);
    return singleRequests.send(
        message.url,
        bounds.connectionLimits(),
        tls,
        pool ->
            message.isPut
                ? pool.put(message.allHeaders(), message.body, timeouts, SingleMessages::take)
                : pool.post(message.allHeaders(), message.body, timeouts, SingleMessages::take));
  }

  /** A receiver that responds with a stream has accepted the message. */
  private static CompletableFuture<Boolean> take(SseListener.Event event) {
    return SseListener.ANSWERED;
  }

  @Override
  public void close() {
    singleRequests.close();
  }
}
