package gatebook.api.upstream.agent.client;

import java.util.concurrent.CompletableFuture;

/** Listener for the attempts of one request. */
@FunctionalInterface
public interface AttemptListener {

  /** Ignores all attempts. */
  AttemptListener NONE = _ -> CompletableFuture.completedFuture(true);

  /** An attempt begins. */
  default void onBegin() {}

  /**
   * Takes an attempt that ended, for example to record it. The request goes on when the future
   * completes, and is not retried when it completes with false.
   */
  CompletableFuture<Boolean> onAttempt(Attempt attempt);
}
