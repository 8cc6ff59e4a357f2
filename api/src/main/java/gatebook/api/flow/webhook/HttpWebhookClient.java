package gatebook.api.flow.webhook;

import gatebook.api.flow.task.FlowRequest.WebhookConfig;
import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.SingleRequests;
import gatebook.api.upstream.http.SseListener;
import gatebook.api.upstream.http.Timeouts;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Client of webhooks over HTTP. */
final class HttpWebhookClient implements WebhookClient {
  private final SingleRequests requests = new SingleRequests();

  /** Never completed once this is closed: a message that was not sent did not fail. */
  @Override
  public CompletableFuture<ExchangeResult> send(
      WebhookConfig webhook, byte[] body, GatewayLimits gatewayLimits) {
    long millis = TimeUnit.SECONDS.toMillis(webhook.timeoutSeconds());
    ConnectionLimits limits =
        SingleRequests.limits(
            millis,
            gatewayLimits.get(Limit.CONNECT_MILLIS_MAX),
            gatewayLimits.getInt(Limit.HEADER_BYTES_MAX),
            gatewayLimits.get(Limit.ANSWER_BYTES_MAX));
    return requests.send(
        URI.create(webhook.url()), limits, pool -> send(pool, webhook, body, millis));
  }

  private static CompletableFuture<ExchangeResult> send(
      ConnectionPool connectionPool, WebhookConfig webhook, byte[] body, long millis) {
    Timeouts timeouts = new Timeouts(millis, millis, millis, millis);
    HttpHeaders headers = headers(webhook);
    return webhook.method().equals("PUT")
        ? connectionPool.put(headers, body, timeouts, HttpWebhookClient::take)
        : connectionPool.post(headers, body, timeouts, HttpWebhookClient::take);
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

  @Override
  public void close() {
    requests.close();
  }
}
