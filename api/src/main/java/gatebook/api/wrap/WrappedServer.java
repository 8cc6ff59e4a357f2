package gatebook.api.wrap;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.mcp.CallTargets;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.ToolListPages;
import gatebook.api.upstream.process.RequestResult;
import gatebook.api.upstream.process.StdioClient;
import gatebook.api.upstream.process.StdioClient.StdioRequest;
import gatebook.api.upstream.source.ProcessAnswers;
import gatebook.command.rules.Source;
import java.util.concurrent.CompletableFuture;

/** The upstream of the wrapped server. Its client itself sends {@code initialize}. */
final class WrappedServer implements Upstream.Defined {

  private final Source source;
  private final CompletableFuture<StdioClient> client;
  private final ProcessAnswers answers;

  /** {@code client} completes when the server runs. */
  WrappedServer(Source source, CompletableFuture<StdioClient> client, ProcessAnswers answers) {
    this.source = source;
    this.client = client;
    this.answers = answers;
  }

  @Override
  public Source definition() {
    return source;
  }

  @Override
  public CompletableFuture<Listing> listTools() {
    return new ToolListPages(this).fetchAll();
  }

  @Override
  public CompletableFuture<Response> call(Call call, MessageListener messageListener) {
    return client.isDone()
        ? call(call, messageListener, client.join())
        : client.thenCompose(running -> call(call, messageListener, running));
  }

  private CompletableFuture<Response> call(
      Call call, MessageListener messageListener, StdioClient running) {
    if (call.notification()) {
      return CompletableFuture.completedFuture(
          answers.accepted(running.sendNotification(call.method(), call.params())));
    }
    CompletableFuture<RequestResult> result =
        running.send(
            request(call), message -> ServerBridge.wait(messageListener.onMessage(message)));
    CompletableFuture<Response> response =
        result.thenApply(requestResult -> answers.response(this, requestResult));
    CompletableFuture<Response> _ =
        response.whenComplete((_, failure) -> {
          if (failure != null) {
            result.cancel(false); // a caller that gives up cancels the request
          }
        });
    return response;
  }

  /** The request of a call. MCP forbids to cancel {@code initialize}. */
  private StdioRequest request(Call call) {
    return new StdioRequest(
        call.method(),
        CallTargets.withoutNullArguments(call, call.params()),
        call.id(),
        call.method().equals(McpMethod.SUBSCRIPTIONS_LISTEN)
            ? StdioRequest.UNLIMITED
            : source.answerMillis(),
        !call.method().equals(McpMethod.INITIALIZE));
  }
}
