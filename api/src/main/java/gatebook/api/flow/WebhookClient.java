package gatebook.api.flow;

import gatebook.api.flow.FlowRequest.WebhookConfig;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.command.rules.GatewayLimits;
import java.util.concurrent.CompletableFuture;

/** Client that sends messages to the receivers of webhooks. */
interface WebhookClient extends AutoCloseable {

  /** Sends a message once. Redirects are returned, not followed. */
  CompletableFuture<ExchangeResult> send(
      WebhookConfig webhook, byte[] body, GatewayLimits gatewayLimits);

  @Override
  void close();
}
