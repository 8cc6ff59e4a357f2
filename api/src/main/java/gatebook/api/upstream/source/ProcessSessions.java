package gatebook.api.upstream.source;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Introduction;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.mcp.InputRequestBridge;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.api.upstream.process.ServerProtocol;
import gatebook.api.upstream.process.StdioClient;
import gatebook.api.upstream.process.StdioClient.Question;
import gatebook.command.rules.Source;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The processes of a source that have one client each. */
final class ProcessSessions {

  private static final String INITIALIZE = "initialize";

  private final Supplier<StdioClient> starting;
  private final ProcessAnswers answers;
  private final int most;
  private final long streamMillis;
  private final Set<StdioClient> running = ConcurrentHashMap.newKeySet();
  private boolean isOver;

  /**
   * Starts nothing yet.
   *
   * @param most that run at a time
   * @param streamMillis how long a client may take to answer a question
   */
  ProcessSessions(
      Supplier<StdioClient> starting, ProcessAnswers answers, int most, long streamMillis) {
    this.starting = starting;
    this.answers = answers;
    this.most = most;
    this.streamMillis = streamMillis;
  }

  /** Starts one, and introduces the client to it as it introduced itself. */
  CompletableFuture<Opening> open(
      Upstream outside, Source source, Introduction introduction, ServerProtocol serverProtocol) {
    StdioClient stdioClient = started();
    if (stdioClient == null) {
      return CompletableFuture.completedFuture(
          new Opening.Failed(new Ended.Failure(new ServiceUnavailable(Cause.UPSTREAM, null))));
    }
    return switch (serverProtocol) {
      case ServerProtocol.Sessions _ ->
          introduced(outside, source, introduction, serverProtocol, stdioClient);
      case ServerProtocol.Stateless(_, _, var discovered) ->
          CompletableFuture.completedFuture(
              new Opening.Opened(
                  new ProcessSession(
                      outside,
                      source,
                      stdioClient,
                      answers,
                      serverProtocol,
                      new InputRequestBridge(source.id(), introduction.params(), streamMillis),
                      StatelessMeta.introduction(
                          discovered == null ? "{}" : discovered, introduction.params()))));
    };
  }

  private synchronized @Nullable StdioClient started() {
    if (isOver || running.size() >= most) {
      return null;
    }
    StdioClient stdioClient = starting.get();
    running.add(stdioClient);
    CompletableFuture<?> _ =
        stdioClient.ended().whenComplete((_, _) -> running.remove(stdioClient));
    return stdioClient;
  }

  private CompletableFuture<Opening> introduced(
      Upstream outside,
      Source source,
      Introduction introduction,
      ServerProtocol serverProtocol,
      StdioClient stdioClient) {
    Question question =
        new Question(INITIALIZE, introduction.params(), null, source.connectMillis(), false);
    return stdioClient
        .ask(question, _ -> {})
        .thenApply(requestResult -> {
          Response response = answers.response(outside, requestResult);
          if (response instanceof Ended.Result(var json, _, _)) {
            return new Opening.Opened(
                new ProcessSession(
                    outside,
                    source,
                    stdioClient,
                    answers,
                    serverProtocol,
                    InputRequestBridge.of(outside),
                    json));
          }
          stdioClient.stop();
          return new Opening.Failed(response);
        });
  }

  /** Starts none any more, and ends each when nobody waits for it, or after this much time. */
  void retire(long millisMax) {
    over().forEach(stdioClient -> stdioClient.finish(millisMax));
  }

  /** Ends all of them; completes when they are gone. */
  CompletableFuture<Void> end() {
    List<StdioClient> last = over();
    last.forEach(StdioClient::stop);
    return CompletableFuture.allOf(
        last.stream().map(StdioClient::ended).toArray(CompletableFuture<?>[]::new));
  }

  private synchronized List<StdioClient> over() {
    isOver = true;
    return List.copyOf(running);
  }
}
