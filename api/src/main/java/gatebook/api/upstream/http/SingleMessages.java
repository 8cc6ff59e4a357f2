package gatebook.api.upstream.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Sends single messages to any addresses. The first message starts its thread, and no connection is
 * kept.
 */
public final class SingleMessages implements AutoCloseable {
  private static final long STOP_SECONDS_MAX = 2;

  private @Nullable Connections connections;
  private boolean closed;

  private record Connections(EventLoopGroup loops, SslContext tls) {
    static Connections open() {
      try {
        return new Connections(
            new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("single-messages", true), NioIoHandler.newFactory()),
            SslContextBuilder.forClient().build());
      } catch (SSLException e) {
        throw new IllegalStateException("every Java platform has TLS", e);
      }
    }
  }

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
      return new ConnectionLimits(
          1,
          1,
          millisMax,
          Math.min(connectMillisMax, millisMax),
          headerBytesMax,
          answerBytesMax,
          1,
          millisMax);
    }
  }

  /** Never completed once this is closed: a message that was not sent did not fail. */
  public CompletableFuture<ExchangeResult> send(Message message, Bounds bounds) {
    Connections open = connections();
    if (open == null) {
      return new CompletableFuture<>();
    }
    ConnectionPool connectionPool =
        new ConnectionPool(message.url, bounds.connectionLimits(), open.tls, open.loops);
    long millis = bounds.millisMax;
    Timeouts timeouts = new Timeouts(millis, millis, millis, millis);
    CompletableFuture<ExchangeResult> sent =
        message.isPut
            ? connectionPool.put(message.allHeaders(), message.body, timeouts, SingleMessages::take)
            : connectionPool.post(
                message.allHeaders(), message.body, timeouts, SingleMessages::take);
    return sent.whenComplete((_, _) -> connectionPool.retire());
  }

  /** A receiver that responds with a stream has accepted the message. */
  private static CompletableFuture<Boolean> take(SseListener.Event event) {
    return SseListener.ANSWERED;
  }

  private synchronized @Nullable Connections connections() {
    if (connections == null && !closed) {
      connections = Connections.open();
    }
    return closed ? null : connections;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (connections != null) {
      var _ = connections.loops.shutdownGracefully(0, STOP_SECONDS_MAX, TimeUnit.SECONDS);
    }
  }
}
