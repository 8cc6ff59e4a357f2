package gatebook.api.flow.webhook;

import gatebook.api.flow.task.FlowRequest.WebhookConfig;
import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.SseListener;
import gatebook.api.upstream.http.Timeouts;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Client of webhooks over HTTP, with the connections that sources have, too. The first message
 * starts its thread, and no connection is kept.
 */
final class HttpWebhookClient implements WebhookClient {
  private static final long STOP_SECONDS_MAX = 2;

  private @Nullable Connections connections;
  private boolean closed;

  private record Connections(EventLoopGroup loops, SslContext tls) {
    static Connections open() {
      try {
        return new Connections(
            new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()),
            SslContextBuilder.forClient().build());
      } catch (SSLException e) {
        throw new IllegalStateException("every Java platform has TLS", e);
      }
    }
  }

  /** Never completed once this is closed: a message that was not sent did not fail. */
  @Override
  public CompletableFuture<ExchangeResult> send(
      WebhookConfig webhook, byte[] body, GatewayLimits gatewayLimits) {
    Connections open = connections();
    if (open == null) {
      return new CompletableFuture<>();
    }
    long millis = TimeUnit.SECONDS.toMillis(webhook.timeoutSeconds());
    ConnectionPool connectionPool =
        new ConnectionPool(
            URI.create(webhook.url()), limits(gatewayLimits, millis), open.tls, open.loops);
    Timeouts timeouts = new Timeouts(millis, millis, millis, millis);
    HttpHeaders headers = headers(webhook);
    CompletableFuture<ExchangeResult> sent =
        webhook.method().equals("PUT")
            ? connectionPool.put(headers, body, timeouts, HttpWebhookClient::take)
            : connectionPool.post(headers, body, timeouts, HttpWebhookClient::take);
    return sent.whenComplete((_, _) -> connectionPool.retire());
  }

  /** A receiver that responds with a stream has accepted the message. */
  private static CompletableFuture<Boolean> take(SseListener.Event event) {
    return SseListener.ANSWERED;
  }

  private static HttpHeaders headers(WebhookConfig webhook) {
    HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
    headers.set(HttpHeaderNames.CONTENT_TYPE, "application/json");
    webhook.headers().forEach(headers::set);
    return headers;
  }

  private static ConnectionLimits limits(GatewayLimits gatewayLimits, long millis) {
    return new ConnectionLimits(
        1,
        1,
        millis,
        Math.min(gatewayLimits.get(Limit.CONNECT_MILLIS_MAX), millis),
        gatewayLimits.getInt(Limit.HEADER_BYTES_MAX),
        gatewayLimits.get(Limit.ANSWER_BYTES_MAX),
        1,
        millis);
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
