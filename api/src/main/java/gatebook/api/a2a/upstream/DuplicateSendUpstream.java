package gatebook.api.a2a.upstream;

import gatebook.api.a2a.message.DuplicateSend;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.upstream.CancellableStep;
import gatebook.api.upstream.Retries.BeforeAttempt;
import gatebook.api.upstream.Upstream;
import java.util.concurrent.CompletableFuture;

/** The upstream of an agent for a duplicate message; it reads the task of the first one. */
record DuplicateSendUpstream(Upstream delegate, DuplicateSend duplicateSend, ClientChannel channel)
    implements Upstream.Delegating {

  @Override
  public CompletableFuture<Response> call(Call call, MessageListener listener) {
    return told(call, delegate.call(call, listener));
  }

  @Override
  public CompletableFuture<Response> call(
      Call call, MessageListener listener, BeforeAttempt before) {
    return told(call, delegate.call(call, listener, before));
  }

  private CompletableFuture<Response> told(Call call, CompletableFuture<Response> pending) {
    return CancellableStep.after(
        pending,
        response ->
            response instanceof Ended ended
                ? duplicateSend.toCaller(ended, channel, call.id())
                : response);
  }

  @Override
  public CompletableFuture<Listing> listTools() {
    return delegate.listTools();
  }
}
