package gatebook.api.mcp.session;

import gatebook.api.upstream.DeferredCall;
import gatebook.api.upstream.Upstream;
import java.util.concurrent.CompletableFuture;

/**
 * A source in a conversation that may still be beginning; calls wait for that. Of a source that has
 * no conversations, it is the source itself.
 */
final class PendingUpstream implements Upstream.OnBehalf {

  private final Upstream outside;
  private final CompletableFuture<Opening> opening;

  PendingUpstream(Upstream outside, CompletableFuture<Opening> opening) {
    this.outside = outside;
    this.opening = opening;
  }

  @Override
  public Upstream outside() {
    return outside;
  }

  @Override
  public CompletableFuture<Response> call(Call call, Aside aside) {
    return DeferredCall.call(opening, opened -> call(opened, call, aside));
  }

  private CompletableFuture<Response> call(Opening opened, Call call, Aside aside) {
    return switch (opened) {
      case Opening.Opened(var session) -> session.call(call, aside);
      case Opening.None() -> outside.call(call, aside);
      case Opening.Failed(var response) -> CompletableFuture.completedFuture(response);
    };
  }

  @Override
  public CompletableFuture<Listing> tools() {
    return outside.tools();
  }
}
