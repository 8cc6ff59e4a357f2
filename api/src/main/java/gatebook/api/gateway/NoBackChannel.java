package gatebook.api.gateway;

import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
import gatebook.command.rules.Source;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The channel of a client that has no back channel: it receives only the response.
 *
 * @param onLongWait runs when the response has to wait for an approval
 */
record NoBackChannel(Runnable onLongWait) implements ClientChannel {
  @Override
  public Upstream upstream(RoutingSnapshot routingSnapshot, Source source) {
    return routingSnapshot.upstream(source);
  }

  @Override
  public boolean acceptsMessages() {
    return false;
  }

  @Override
  public CompletableFuture<Boolean> sendNotification(byte[] notification) {
    return CompletableFuture.completedFuture(false);
  }

  @Override
  public String registerRequest(Source source, RpcMessage.Request question, UUID callId) {
    throw new IllegalStateException("this client accepts no requests");
  }

  @Override
  public CompletableFuture<Boolean> sendRequest(String name, RpcMessage.Request question) {
    return CompletableFuture.completedFuture(false);
  }

  @Override
  public void expectLongWait() {
    onLongWait.run();
  }
}
