package gatebook.api.upstream;

import gatebook.api.upstream.Upstream.Response;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future.State;
import java.util.function.Function;

/** A call that can only be made once something is known. */
public final class DeferredCall {

  private DeferredCall() {}

  /**
   * Makes it then, at once if it is known already. Giving the response up gives the call up, also
   * one that was not made; others may wait for the same.
   */
  public static <T> CompletableFuture<Response> call(
      CompletableFuture<T> known, Function<T, CompletableFuture<Response>> call) {
    if (known.state() == State.SUCCESS) {
      return call.apply(known.resultNow());
    }
    CompletableFuture<Response> response = new CompletableFuture<>();
    CompletableFuture<T> _ =
        known.whenComplete((what, failure) -> {
          if (failure != null) {
            response.completeExceptionally(failure);
          } else if (!response.isDone()) {
            carry(call.apply(what), response);
          }
        });
    return response;
  }

  private static void carry(CompletableFuture<Response> from, CompletableFuture<Response> to) {
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
