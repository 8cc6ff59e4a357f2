package gatebook.api.upstream.source;

import gatebook.api.rpc.ResponseReader;
import gatebook.api.rpc.RpcResponse;
import gatebook.api.upstream.CancellableStep;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.process.RequestResult;
import gatebook.api.upstream.process.StdioClient;
import gatebook.api.upstream.process.StdioClient.StdioRequest;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends calls to processes, and interprets their answers. */
public final class ProcessCalls {

  private final ResponseReader reader;

  public ProcessCalls(int depthMax) {
    this.reader = new ResponseReader(depthMax);
  }

  /**
   * Sends a request, and interprets its answer. Cancelling the response cancels the request at the
   * process, except {@code initialize}, where MCP forbids it.
   *
   * @param upstream that the response is from
   * @param params of the call as the process knows them
   * @param listener receives the messages that belong to the request and are not its answer
   */
  public CompletableFuture<Response> send(
      Upstream upstream,
      StdioClient stdioClient,
      Call call,
      @Nullable String params,
      Consumer<byte[]> listener) {
    return CancellableStep.after(
        stdioClient.send(
            new StdioRequest(
                call.method(),
                params,
                call.id(),
                call.method().equals(McpMethod.SUBSCRIPTIONS_LISTEN)
                    ? StdioRequest.UNLIMITED
                    : upstream.timeoutMillis(),
                !call.method().equals(McpMethod.INITIALIZE)),
            listener),
        result -> response(upstream, result));
  }

  /** Waits until a client accepts a message of a process; only this process waits. */
  public static boolean await(CompletableFuture<Boolean> accepted, long millisMax) {
    return accepted
        .copy()
        .completeOnTimeout(false, millisMax, TimeUnit.MILLISECONDS)
        .exceptionally(_ -> false)
        .join();
  }

  /** The response to a notification. */
  public Response accepted(boolean isQueued) {
    return isQueued
        ? new Ended.Accepted()
        : failure(new ServiceUnavailable(Cause.UPSTREAM_QUEUE_FULL, null));
  }

  /** The response to a request. */
  Response response(Upstream upstream, RequestResult requestResult) {
    return switch (requestResult) {
      case RequestResult.NotConnected(var reason) -> new Response.NotConnected(reason);
      case RequestResult.Overloaded() ->
          failure(new ServiceUnavailable(Cause.UPSTREAM_QUEUE_FULL, null));
      case RequestResult.AnswerDropped() ->
          failure(new ServiceUnavailable(Cause.ANSWER_DROPPED, null));
      case RequestResult.TimedOut() ->
          failure(
              new UpstreamTimeout(
                  upstream.source(), upstream.endpoint(), upstream.timeoutMillis()));
      case RequestResult.Broken(var words) -> error(upstream, words);
      case RequestResult.Answered(var id, var line) -> answer(upstream, reader.read(line, id));
    };
  }

  private static Response answer(Upstream upstream, RpcResponse rpcResponse) {
    return switch (rpcResponse) {
      case RpcResponse.Result(var json, boolean isError) -> new Ended.Result(json, isError);
      case RpcResponse.RpcError(var code, var message, var data) ->
          new Ended.ForeignError(upstream.source(), code, message, data, null);
      case RpcResponse.Other(var what, _) -> error(upstream, "the answer is not JSON-RPC: " + what);
      case RpcResponse.Unreadable(var defect) ->
          error(upstream, "the answer is not JSON-RPC: " + defect);
    };
  }

  private static Response error(Upstream upstream, String words) {
    return failure(new UpstreamError(upstream.source(), null, words, null, null));
  }

  private static Response failure(Fault fault) {
    return new Ended.Failure(fault);
  }
}
