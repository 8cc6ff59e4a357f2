package gatebook.api.mcp;

import gatebook.api.upstream.DeferredCall;
import gatebook.api.upstream.Upstream;
import java.util.concurrent.CompletableFuture;

/**
 * The upstream of a source whose session may still be pending. Calls wait until it is open; for a
 * source without sessions they go to the source itself.
 */
final class PendingUpstream implements Upstream.Delegating {

  private final Upstream delegate;
  private final CompletableFuture<Opening> opening;

  PendingUpstream(Upstream delegate, CompletableFuture<Opening> opening) {
    this.delegate = delegate;
    this.opening = opening;
  }

  @Override
  public Upstream delegate() {
    return delegate;
  }

  @Override
  public CompletableFuture<Response> call(Call call, MessageListener listener) {
    return DeferredCall.call(opening, opened -> call(opened, call, listener));
  }

  private CompletableFuture<Response> call(Opening opened, Call call, MessageListener listener) {
    return switch (opened) {
      case Opening.Opened(var session) -> session.call(call, listener);
      case Opening.None() -> delegate.call(call, listener);
      case Opening.Failed(var response) -> CompletableFuture.completedFuture(response);
    };
  }

  @Override
  public CompletableFuture<Listing> listTools() {
    return delegate.listTools();
  }
}
