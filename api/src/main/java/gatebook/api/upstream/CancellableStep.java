package gatebook.api.upstream;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Takes a step once a future is completed; cancelling the result cancels what is in progress. */
public final class CancellableStep {

  private CancellableStep() {}

  /** The result of a step. */
  public static <T, R> CompletableFuture<R> after(
      CompletableFuture<T> pending, Function<T, R> step) {
    CompletableFuture<R> result = pending.thenApply(step);
    CompletableFuture<R> _ = result.whenComplete((_, _) -> pending.cancel(false));
    return result;
  }

  /** The result of a step that takes time, too. */
  public static <T, R> CompletableFuture<R> compose(
      CompletableFuture<T> pending, Function<T, CompletableFuture<R>> step) {
    CompletableFuture<R> result = new CompletableFuture<>();
    CompletableFuture<R> _ = result.whenComplete((_, _) -> pending.cancel(false));
    CompletableFuture<R> _ =
        pending
            .thenCompose(value -> {
              CompletableFuture<R> taken = step.apply(value);
              CompletableFuture<R> _ = result.whenComplete((_, _) -> taken.cancel(false));
              return taken;
            })
            .whenComplete((value, failure) -> {
              if (failure == null) {
                result.complete(value);
              } else {
                result.completeExceptionally(failure);
              }
            });
    return result;
  }
}
