package gatebook.api.mcp.session;

import gatebook.api.upstream.Upstream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future.State;

/**
 * A source in a conversation that may still be beginning; calls wait for that. Of a source that has
 * no conversations, it is the source itself.
 */
final class Awaited implements Upstream {

  private final Upstream outside;
  private final CompletableFuture<Opening> opening;

  Awaited(Upstream outside, CompletableFuture<Opening> opening) {
    this.outside = outside;
    this.opening = opening;
  }

  @Override
  public String source() {
    return outside.source();
  }

  @Override
  public String endpoint() {
    return outside.endpoint();
  }

  @Override
  public long timeoutMillis() {
    return outside.timeoutMillis();
  }

  @Override
  public CompletableFuture<Response> call(Call call, Aside aside) {
    if (opening.state() == State.SUCCESS) {
      return call(opening.resultNow(), call, aside);
    }
    CompletableFuture<Response> response = new CompletableFuture<>();
    CompletableFuture<Opening> _ =
        opening.whenComplete((opened, failure) -> {
          if (failure != null) {
            response.completeExceptionally(failure);
          } else if (!response.isDone()) {
            carry(call(opened, call, aside), response);
          }
        });
    return response;
  }

  private CompletableFuture<Response> call(Opening opened, Call call, Aside aside) {
    return switch (opened) {
      case Opening.Opened(var leg) -> leg.call(call, aside);
      case Opening.None() -> outside.call(call, aside);
      case Opening.Failed(var response) -> CompletableFuture.completedFuture(response);
    };
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

  @Override
  public CompletableFuture<Listing> tools() {
    return outside.tools();
  }
}
