package gatebook.api.upstream.agent.client;

import java.util.concurrent.CompletableFuture;

/** Listener for the items of an agent's stream. */
@FunctionalInterface
public interface AgentStreamListener {

  /**
   * Takes the next item, in the order of the stream. Nothing more is delivered or read until the
   * future completes; if it fails, the stream is closed.
   */
  CompletableFuture<Void> onItem(AgentItem item);
}
