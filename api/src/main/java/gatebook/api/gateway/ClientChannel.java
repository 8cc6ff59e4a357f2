package gatebook.api.gateway;

import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
import gatebook.command.rules.Source;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** What one message is part of, beyond its call, and how its caller hears more than the answer. */
public interface ClientChannel {

  /** Of a caller who asks, and hears the answer. */
  ClientChannel NONE =
      new ClientChannel() {
        @Override
        public Upstream upstream(RoutingSnapshot routingSnapshot, Source source) {
          return routingSnapshot.upstream(source);
        }

        @Override
        public boolean hears() {
          return false;
        }

        @Override
        public CompletableFuture<Boolean> told(byte[] notification) {
          return CompletableFuture.completedFuture(false);
        }

        @Override
        public String nameOf(Source source, RpcMessage.Request question, UUID callId) {
          throw new IllegalStateException("nobody can be asked");
        }

        @Override
        public CompletableFuture<Boolean> asked(String name, RpcMessage.Request question) {
          return CompletableFuture.completedFuture(false);
        }
      };

  /** Who answers for a source in it. */
  Upstream upstream(RoutingSnapshot routingSnapshot, Source source);

  /** Whether the caller takes anything before the answer. */
  boolean hears();

  /**
   * Passes a notification on as it came; completed when there is room for more, with whether the
   * caller takes it.
   */
  CompletableFuture<Boolean> told(byte[] notification);

  /** The id by which the caller is to know a question of a source's, without quotes. */
  String nameOf(Source source, RpcMessage.Request question, UUID callId);

  /** A source says something that can be come back to. */
  default void placed() {}

  /** A source is silent for a while, and can be come back to. */
  default void paused(long retryMillis) {}

  /** The answer takes as long as a person takes. */
  default void waits() {}

  /** Passes a question on that is recorded; completed as with a notification. */
  CompletableFuture<Boolean> asked(String name, RpcMessage.Request question);
}
