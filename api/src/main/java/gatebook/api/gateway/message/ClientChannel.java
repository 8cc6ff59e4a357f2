package gatebook.api.gateway.message;

import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
import gatebook.command.rules.Source;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The back channel to a client, for messages of a source besides the response. Unless a method says
 * otherwise, the client receives only the response.
 */
public interface ClientChannel {

  /** The channel of a client that receives only the response. */
  ClientChannel NONE = new ClientChannel() {};

  /** The channel of a client that receives only the response, and learns what that waits for. */
  static ClientChannel onlyResponse(HoldListener holdListener) {
    return new ClientChannel() {
      @Override
      public void expectLongWait() {
        holdListener.onHeld();
      }

      @Override
      public void refuseLongWait() {
        holdListener.onNoRoom();
      }

      @Override
      public void endLongWait() {
        holdListener.onResumed();
      }
    };
  }

  /** Receives the request that the response answers, before it is served. */
  default void onRequest(RpcMessage.Request request) {}

  /** The client initializes a source with this call; the source may then send it requests. */
  default void onInitialize(UUID callId, Source source) {}

  /** Passes a notification of the client on to its sources, with the headers that go on to them. */
  default void notifySources(DialectCall notification, Map<String, String> headers) {}

  /** The upstream of a source for calls on this channel. */
  default Upstream upstream(RoutingSnapshot routingSnapshot, Source source) {
    return routingSnapshot.upstream(source);
  }

  /** Whether the client accepts messages before the response. */
  default boolean acceptsMessages() {
    return false;
  }

  /**
   * Sends a notification as it came; completed when there is room for more, with whether the client
   * accepts it.
   */
  default CompletableFuture<Boolean> sendNotification(byte[] notification) {
    return CompletableFuture.completedFuture(false);
  }

  /** Registers a request of a source, and returns its id for the client, without quotes. */
  default String registerRequest(Source source, RpcMessage.Request question, UUID callId) {
    throw new IllegalStateException("this client accepts no requests");
  }

  /** The source's stream can be resumed. */
  default void markResumable() {}

  /** The source paused its stream, which can be resumed after that time. */
  default void pause(long retryMillis) {}

  /** The response has to wait for approval. */
  default void expectLongWait() {}

  /** The response would have to wait for approval, and cannot now: there is none. */
  default void refuseLongWait() {}

  /** The response waits for no approval any more, or has been sent. */
  default void endLongWait() {}

  /** Sends a request that is recorded; completed as with a notification. */
  default CompletableFuture<Boolean> sendRequest(String name, RpcMessage.Request question) {
    return CompletableFuture.completedFuture(false);
  }
}
