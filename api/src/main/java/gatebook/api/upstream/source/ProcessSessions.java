package gatebook.api.upstream.source;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.InitializeRequest;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.mcp.InputRequestBridge;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.api.upstream.process.ServerProtocol;
import gatebook.api.upstream.process.StdioClient;
import gatebook.api.upstream.process.StdioClient.StdioRequest;
import gatebook.command.rules.Source;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The sessions of a source whose clients have one process each. */
final class ProcessSessions {

  private final Supplier<StdioClient> launcher;
  private final ProcessCalls calls;
  private final int sessionsMax;
  private final long streamMillis;
  private final Set<StdioClient> running = ConcurrentHashMap.newKeySet();
  private boolean isEnded;

  /**
   * Starts nothing yet.
   *
   * @param sessionsMax open at a time
   * @param streamMillis how long a client may take to answer a request
   */
  ProcessSessions(
      Supplier<StdioClient> starting, ProcessCalls calls, int sessionsMax, long streamMillis) {
    this.launcher = starting;
    this.calls = calls;
    this.sessionsMax = sessionsMax;
    this.streamMillis = streamMillis;
  }

  /** Starts a process and opens a session with the initialize request of the client. */
  CompletableFuture<Opening> open(
      Upstream upstream,
      Source source,
      InitializeRequest initializeRequest,
      ServerProtocol serverProtocol) {
    StdioClient stdioClient = startClient();
    if (stdioClient == null) {
      return CompletableFuture.completedFuture(
          new Opening.Failed(
              new Ended.Failure(new ServiceUnavailable(Cause.UPSTREAM_QUEUE_FULL, null))));
    }
    return switch (serverProtocol) {
      case ServerProtocol.Sessions _ ->
          initialize(upstream, source, initializeRequest, serverProtocol, stdioClient);
      case ServerProtocol.Stateless(_, _, var discovered) ->
          CompletableFuture.completedFuture(
              new Opening.Opened(
                  new ProcessSession(
                      upstream,
                      source,
                      stdioClient,
                      calls,
                      serverProtocol,
                      new InputRequestBridge(source.id(), initializeRequest.params(), streamMillis),
                      StatelessMeta.initializeResult(
                          discovered == null ? "{}" : discovered, initializeRequest.params()))));
    };
  }

  private synchronized @Nullable StdioClient startClient() {
    if (isEnded || running.size() >= sessionsMax) {
      return null;
    }
    StdioClient stdioClient = launcher.get();
    running.add(stdioClient);
    CompletableFuture<?> _ =
        stdioClient.ended().whenComplete((_, _) -> running.remove(stdioClient));
    return stdioClient;
  }

  private CompletableFuture<Opening> initialize(
      Upstream upstream,
      Source source,
      InitializeRequest initializeRequest,
      ServerProtocol serverProtocol,
      StdioClient stdioClient) {
    StdioRequest stdioRequest =
        new StdioRequest(
            McpMethod.INITIALIZE, initializeRequest.params(), null, source.connectMillis(), false);
    return stdioClient
        .send(stdioRequest, _ -> {})
        .thenApply(requestResult -> {
          Response response = calls.response(upstream, requestResult);
          if (response instanceof Ended.Result(var json, _, _)) {
            return new Opening.Opened(
                new ProcessSession(
                    upstream,
                    source,
                    stdioClient,
                    calls,
                    serverProtocol,
                    InputRequestBridge.of(upstream),
                    json));
          }
          stdioClient.stop();
          return new Opening.Failed(response);
        });
  }

  /** Stops opening sessions, and ends each when its requests are done or after this time. */
  void retire(long millisMax) {
    markEnded().forEach(stdioClient -> stdioClient.stopWhenIdle(millisMax));
  }

  /** Ends all sessions; completes when their processes have ended. */
  CompletableFuture<Void> end() {
    List<StdioClient> last = markEnded();
    last.forEach(StdioClient::stop);
    return CompletableFuture.allOf(
        last.stream().map(StdioClient::ended).toArray(CompletableFuture<?>[]::new));
  }

  private synchronized List<StdioClient> markEnded() {
    isEnded = true;
    return List.copyOf(running);
  }
}
