package gatebook.api.a2a.upstream;

import gatebook.api.a2a.message.A2aExchange;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.upstream.Upstream.MessageListener;
import java.util.concurrent.CompletableFuture;

/** Has the caller told which extensions an agent uses for its answer. */
record UsedExtensions(MessageListener delegate, ClientChannel channel) implements MessageListener {
  @Override
  public void onExtensions(String extensions) {
    if (channel instanceof A2aExchange exchange) {
      exchange.useExtensions(extensions);
    }
  }

  @Override
  public CompletableFuture<Boolean> onMessage(byte[] message) {
    return delegate.onMessage(message);
  }
}
