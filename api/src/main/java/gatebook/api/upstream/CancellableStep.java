package gatebook.api.upstream;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Takes a step once a future is completed; cancelling the result cancels the future. */
public final class CancellableStep {

  private CancellableStep() {}

  /** The result of a step. */
  public static <T, R> CompletableFuture<R> after(
      CompletableFuture<T> pending, Function<T, R> step) {
    CompletableFuture<R> result = pending.thenApply(step);
    CompletableFuture<R> _ = result.whenComplete((_, _) -> pending.cancel(false));
    return result;
  }
}
