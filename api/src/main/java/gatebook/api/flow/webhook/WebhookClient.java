package gatebook.api.flow.webhook;

import gatebook.api.flow.task.FlowRequest.WebhookConfig;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.command.rules.GatewayLimits;
import java.util.concurrent.CompletableFuture;

/** Client that sends messages to the receivers of webhooks. */
public interface WebhookClient extends AutoCloseable {

  /** Sends a message once. Redirects are returned, not followed. */
  CompletableFuture<ExchangeResult> send(
      WebhookConfig webhook, byte[] body, GatewayLimits gatewayLimits);

  @Override
  void close();
}
