package gatebook.api.gateway;

import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
import gatebook.command.rules.Source;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The back channel to a client, for messages of a source besides the response. */
public interface ClientChannel {

  /** The channel of a client that receives only the response. */
  ClientChannel NONE = onlyResponse(() -> {});

  /**
   * The channel of a client that receives only the response.
   *
   * @param onLongWait runs when the response has to wait for approval
   */
  static ClientChannel onlyResponse(Runnable onLongWait) {
    return new ClientChannel() {
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
    };
  }

  /** The upstream of a source for calls on this channel. */
  Upstream upstream(RoutingSnapshot routingSnapshot, Source source);

  /** Whether the client accepts messages before the response. */
  boolean acceptsMessages();

  /**
   * Sends a notification as it came; completed when there is room for more, with whether the client
   * accepts it.
   */
  CompletableFuture<Boolean> sendNotification(byte[] notification);

  /** Registers a request of a source, and returns its id for the client, without quotes. */
  String registerRequest(Source source, RpcMessage.Request question, UUID callId);

  /** The source's stream can be resumed. */
  default void markResumable() {}

  /** The source paused its stream, which can be resumed after that time. */
  default void pause(long retryMillis) {}

  /** The response has to wait for approval. */
  default void expectLongWait() {}

  /** Sends a request that is recorded; completed as with a notification. */
  CompletableFuture<Boolean> sendRequest(String name, RpcMessage.Request question);
}
