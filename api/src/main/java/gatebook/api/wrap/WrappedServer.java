package gatebook.api.wrap;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.mcp.CallTargets;
import gatebook.api.upstream.mcp.ToolListPages;
import gatebook.api.upstream.process.StdioClient;
import gatebook.api.upstream.source.ProcessCalls;
import gatebook.command.rules.Source;
import java.util.concurrent.CompletableFuture;

/** The upstream of the wrapped server, which the client itself initializes. */
final class WrappedServer implements Upstream.Defined {

  private final Source source;
  private final CompletableFuture<StdioClient> client;
  private final ProcessCalls calls;

  /** {@code client} completes when the server runs. */
  WrappedServer(Source source, CompletableFuture<StdioClient> client, ProcessCalls calls) {
    this.source = source;
    this.client = client;
    this.calls = calls;
  }

  @Override
  public Source definition() {
    return source;
  }

  @Override
  public CompletableFuture<Listing> listTools() {
    return new ToolListPages(this).fetchAll();
  }

  /** A call of a server that runs already is not composed: it can be cancelled. */
  @Override
  public CompletableFuture<Response> call(Call call, MessageListener listener) {
    return client.isDone()
        ? call(call, listener, client.join())
        : client.thenCompose(running -> call(call, listener, running));
  }

  private CompletableFuture<Response> call(
      Call call, MessageListener listener, StdioClient running) {
    String params = CallTargets.forSource(call, source);
    return call.notification()
        ? CompletableFuture.completedFuture(
            calls.accepted(running.sendNotification(call.method(), params)))
        : calls.send(
            this,
            running,
            call,
            params,
            message ->
                ProcessCalls.await(listener.onMessage(message), ServerBridge.CLIENT_MILLIS_MAX));
  }
}
