package gatebook.api.upstream.agent.client;

import gatebook.api.dialect.A2aVersion;
import gatebook.api.upstream.CancellableStep;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.ExchangeResult.Answered;
import gatebook.api.upstream.http.SseListener;
import gatebook.api.upstream.http.Timeouts;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Makes single attempts, each of them one exchange with the agent. Cancelling a future closes the
 * connection of its exchange.
 */
final class AgentExchange {

  private static final String VERSION = "A2A-Version";
  private static final String JSON = "application/json";
  private static final String EVENTS = "text/event-stream";

  private final ConnectionPool connectionPool;
  private final Map<String, String> headers;
  private final AgentLimits limits;
  private final AnswerReader answerReader;
  private final AtomicLong ids = new AtomicLong();

  /**
   * Sends nothing yet.
   *
   * @param headers of every request
   */
  AgentExchange(
      ConnectionPool connectionPool,
      Map<String, String> headers,
      AgentLimits limits,
      AnswerReader answerReader) {
    this.connectionPool = connectionPool;
    this.headers = Map.copyOf(headers);
    this.limits = limits;
    this.answerReader = answerReader;
  }

  /** Gets a card, in the shape of the newest version if the agent can choose. */
  CompletableFuture<AttemptResult<AgentCard>> card(
      String target, AgentCallOptions options, RequestTime time) {
    Timeouts all = limits.timeouts(false);
    Timeouts left = time.left(all);
    CompletableFuture<ExchangeResult> sent =
        connectionPool.get(
            target,
            headers(A2aVersion.V1_0, JSON, options.headers()),
            left,
            AgentExchange::takeFirst);
    return cancelling(
        sent, sent.thenApply(it -> answerReader.card(RequestTime.whole(it, left, all))));
  }

  /** Posts a request and reads the result of its response. */
  <T> CompletableFuture<AttemptResult<T>> call(
      AgentRequest request,
      AgentCallOptions options,
      RequestTime time,
      Function<String, AgentOutcome<T>> result) {
    String id = newId();
    CompletableFuture<ExchangeResult> sent =
        post(request, id, JSON, options, time, AgentExchange::takeFirst);
    return cancelling(
        sent,
        sent.thenApply(exchangeResult ->
            exchangeResult instanceof Answered answered
                ? answerReader.response(answered, request, id, result)
                : AnswerReader.noResponse(exchangeResult)));
  }

  /** Posts a request and passes the items of its stream on. */
  CompletableFuture<AttemptResult<StreamEnd>> stream(
      AgentRequest request,
      AgentCallOptions options,
      RequestTime time,
      AgentStreamListener listener) {
    String id = newId();
    AgentStream stream = new AgentStream(request, id, answerReader, limits, listener);
    CompletableFuture<ExchangeResult> sent =
        post(request, id, EVENTS + ", " + JSON, options, time, stream);
    CompletableFuture<AttemptResult<StreamEnd>> end =
        sent.thenCompose(stream::result).exceptionallyCompose(stream::stopped);
    CompletableFuture<AttemptResult<StreamEnd>> _ = end.whenComplete((_, _) -> stream.stop());
    return cancelling(sent, end);
  }

  private CompletableFuture<ExchangeResult> post(
      AgentRequest request,
      String id,
      String accepted,
      AgentCallOptions options,
      RequestTime time,
      SseListener sseListener) {
    HttpHeaders all = headers(request.version(), accepted, options.headers());
    all.set(HttpHeaderNames.CONTENT_TYPE, JSON);
    Timeouts timeouts = limits.timeouts(request.method().sendsMessage());
    Timeouts left = time.left(timeouts);
    return CancellableStep.after(
        connectionPool.post(
            ConnectionPool.target(request.endpoint().url()),
            all,
            request.message(id),
            left,
            new ExtensionsListener(sseListener, options.extensions())),
        sent -> RequestTime.whole(sent, left, timeouts));
  }

  /** A response in several lines arrives as events, too: the first one is the response. */
  private static CompletableFuture<Boolean> takeFirst(SseListener.Event event) {
    return event.data().length == 0 ? SseListener.GO_ON : SseListener.ANSWERED;
  }

  private HttpHeaders headers(A2aVersion version, String accepted, Map<String, String> more) {
    HttpHeaders all = DefaultHttpHeadersFactory.headersFactory().newHeaders();
    more.forEach(all::set);
    headers.forEach(all::set);
    all.set(VERSION, version.text());
    all.set(HttpHeaderNames.ACCEPT, accepted);
    return all;
  }

  private String newId() {
    return Long.toString(ids.incrementAndGet());
  }

  private static <T> CompletableFuture<T> cancelling(
      CompletableFuture<ExchangeResult> sent, CompletableFuture<T> result) {
    CompletableFuture<T> _ = result.whenComplete((_, _) -> sent.cancel(false));
    return result;
  }
}
