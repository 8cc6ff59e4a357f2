package gatebook.api.upstream;

import gatebook.api.upstream.Upstream.Response;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future.State;
import java.util.function.Function;

/** Makes a call once the value it depends on is known: a deferred call. */
public final class DeferredCall {

  private DeferredCall() {}

  /**
   * Makes the call when the value is known, at once if it already is. Cancelling the response
   * cancels the call, also one that was not made yet; it does not cancel the value, for which other
   * calls may wait.
   */
  public static <T> CompletableFuture<Response> call(
      CompletableFuture<T> value, Function<T, CompletableFuture<Response>> call) {
    if (value.state() == State.SUCCESS) {
      return call.apply(value.resultNow());
    }
    CompletableFuture<Response> response = new CompletableFuture<>();
    CompletableFuture<T> _ =
        value.whenComplete((result, failure) -> {
          if (failure != null) {
            response.completeExceptionally(failure);
          } else if (!response.isDone()) {
            forward(call.apply(result), response);
          }
        });
    return response;
  }

  private static void forward(CompletableFuture<Response> from, CompletableFuture<Response> to) {
    CompletableFuture<Response> _ = to.whenComplete((_, _) -> from.cancel(false));
    CompletableFuture<Response> _ =
        from.whenComplete((response, failure) -> {
          if (failure != null) {
            to.completeExceptionally(failure);
          } else {
            to.complete(response);
          }
        });
  }
}
