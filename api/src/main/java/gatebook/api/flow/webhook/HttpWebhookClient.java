package gatebook.api.flow.webhook;

import gatebook.api.flow.task.FlowRequest.WebhookConfig;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.SingleMessages;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Client of webhooks over HTTP. */
final class HttpWebhookClient implements WebhookClient {
  private final SingleMessages singleMessages = new SingleMessages();

  @Override
  public CompletableFuture<ExchangeResult> send(
      WebhookConfig webhook, byte[] body, GatewayLimits gatewayLimits) {
    return singleMessages.send(
        new SingleMessages.Message(
            URI.create(webhook.url()),
            webhook.method().equals("PUT"),
            "application/json",
            webhook.headers(),
            body),
        new SingleMessages.Bounds(
            TimeUnit.SECONDS.toMillis(webhook.timeoutSeconds()),
            gatewayLimits.get(Limit.CONNECT_MILLIS_MAX),
            gatewayLimits.getInt(Limit.HEADER_BYTES_MAX),
            gatewayLimits.get(Limit.ANSWER_BYTES_MAX)));
  }

  @Override
  public void close() {
    singleMessages.close();
  }
}
