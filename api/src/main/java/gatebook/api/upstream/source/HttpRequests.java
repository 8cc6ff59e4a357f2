package gatebook.api.upstream.source;

import gatebook.api.rpc.MessageWriter;
import gatebook.api.rpc.ResponseReader;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.ExchangeResult.Defect;
import gatebook.api.upstream.http.Timeouts;
import gatebook.api.upstream.mcp.CallTargets;
import gatebook.api.upstream.mcp.ForwardedHeaders;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.api.upstream.mcp.PrefixingListener;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.command.rules.Source;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends requests to one source over HTTP and resumes cut streams. */
final class HttpRequests {

  static final String SESSION = "Mcp-Session-Id";

  private static final String VERSION = "MCP-Protocol-Version";
  private static final String JSON = "application/json";
  private static final String EVENTS = "text/event-stream";

  /** The pause before a stream is resumed when the server sends no retry time. */
  private static final long RECONNECT_MILLIS = 1_000;

  /** A server that asks for a reconnect at once does not keep a processor busy. */
  private static final long RECONNECT_MILLIS_MIN = 50;

  private static final long RECONNECT_MILLIS_MAX = 30_000;

  private final Upstream upstream;
  private final Source source;
  private final ConnectionPool connectionPool;
  private final Timeouts timeouts;
  private final ResponseReader reader;
  private final UpstreamMeters meters;
  private final InstantSource clock;
  private final String clientInfo;
  private final AtomicLong ids = new AtomicLong();

  HttpRequests(
      Upstream upstream,
      Source source,
      ConnectionPool connectionPool,
      Timeouts timeouts,
      ResponseReader reader,
      UpstreamMeters meters,
      InstantSource clock,
      String clientInfo) {
    this.upstream = upstream;
    this.source = source;
    this.connectionPool = connectionPool;
    this.timeouts = timeouts;
    this.reader = reader;
    this.meters = meters;
    this.clock = clock;
    this.clientInfo = clientInfo;
  }

  /** How long a stream may last. */
  long streamMillis() {
    return timeouts.streamMillis();
  }

  /** Gatebook as a client, as the text of an object. */
  String clientInfo() {
    return clientInfo;
  }

  /** A new id, unique for this source. */
  String newId() {
    return Long.toString(ids.incrementAndGet());
  }

  HttpAnswers answersTo(@Nullable String id, MessageListener listener) {
    return new HttpAnswers(upstream, reader, id, PrefixingListener.of(listener, source), clock);
  }

  /** Makes one attempt; a stream that is cut is resumed if it sent event ids. */
  CompletableFuture<Response> send(ProtocolMode protocolMode, Call call, HttpAnswers httpAnswers) {
    return send(protocolMode, call, httpAnswers, _ -> {});
  }

  /**
   * The same; when the call has ended, {@code onEnd} gets the answer to the notification that
   * cancels it, or an answer at once where none is sent.
   */
  CompletableFuture<Response> send(
      ProtocolMode protocolMode,
      Call call,
      HttpAnswers httpAnswers,
      Consumer<CompletableFuture<Response>> onEnd) {
    return counted(
        meters.start(),
        send(
            new Pending(
                protocolMode, httpAnswers, timeoutsFor(call), new CompletableFuture<>(), onEnd),
            call));
  }

  /** The same without a measurement, for requests that no caller sent. */
  CompletableFuture<Response> sendUncounted(
      ProtocolMode protocolMode, Call call, HttpAnswers httpAnswers) {
    return sendUncounted(protocolMode, call, httpAnswers, Long.MAX_VALUE);
  }

  /** The same, within a shorter time. */
  CompletableFuture<Response> sendUncounted(
      ProtocolMode protocolMode, Call call, HttpAnswers httpAnswers, long millisMax) {
    return send(
        new Pending(
            protocolMode,
            httpAnswers,
            timeoutsFor(call).atMost(millisMax),
            new CompletableFuture<>(),
            _ -> {}),
        call);
  }

  private CompletableFuture<Response> send(Pending pending, Call call) {
    CompletableFuture<Response> _ =
        pending.response.whenComplete((response, _) -> cancelAtSource(pending, call, response));
    post(pending, call, isMcp() && McpMethod.isReadOnly(call.method()));
    return pending.response;
  }

  /** Cancels the call at the source if it was cancelled here or timed out. */
  private void cancelAtSource(Pending pending, Call call, @Nullable Response response) {
    boolean isTimedOut = response instanceof Ended.Failure(UpstreamTimeout _);
    Optional<Call> notification =
        (isTimedOut || pending.response.isCancelled()) && pending.httpAnswers.abandon()
            ? CancellationNotification.of(pending.protocolMode, call, pending.httpAnswers.id())
            : Optional.empty();
    pending.onEnd.accept(
        notification
            .map(it -> sendNotification(pending.protocolMode, it))
            .orElseGet(() -> CompletableFuture.completedFuture(new Ended.Accepted())));
  }

  /** Sends a notification without waiting, within the time of a connect; counts a failure. */
  private CompletableFuture<Response> sendNotification(
      ProtocolMode protocolMode, Call notification) {
    UpstreamMeters.Sample sample = meters.start();
    HttpAnswers none = answersTo(null, MessageListener.NONE);
    CompletableFuture<Response> sent =
        connectionPool
            .post(
                headers(protocolMode, notification),
                body(protocolMode, null, notification),
                timeouts.atMost(source.connectMillis()),
                none)
            .thenApply(none::response);
    sample.recordUnaccepted(sent);
    return sent;
  }

  /** A call that waits for its response. */
  private record Pending(
      ProtocolMode protocolMode,
      HttpAnswers httpAnswers,
      Timeouts timeouts,
      CompletableFuture<Response> response,
      Consumer<CompletableFuture<Response>> onEnd) {}

  /**
   * Posts the call. A server may close an idle connection while the request is on its way: then a
   * request that only reads is sent once more.
   */
  private void post(Pending pending, Call call, boolean mayRetry) {
    CompletableFuture<ExchangeResult> sent =
        connectionPool.post(
            headers(pending.protocolMode, call),
            body(pending.protocolMode, pending.httpAnswers.id(), call),
            pending.timeouts,
            pending.httpAnswers);
    follow(pending, sent, Reconnects.NONE_YET, mayRetry ? () -> post(pending, call, false) : null);
  }

  private static boolean isUnanswered(ExchangeResult exchangeResult) {
    return exchangeResult instanceof ExchangeResult.Broken(Defect defect)
        && defect == Defect.CLOSED_BEFORE_ANSWER;
  }

  /** A subscription ends only when one side ends it. */
  private Timeouts timeoutsFor(Call call) {
    return call.method().equals(McpMethod.SUBSCRIPTIONS_LISTEN)
        ? timeouts.unlimitedStream()
        : timeouts;
  }

  /** Counts a call that could not be sent, and returns its response. */
  Response countUnsent(Response response) {
    return meters.start().record(response);
  }

  /** Opens a session, and counts it if that fails. */
  CompletableFuture<Opening> countFailed(Supplier<CompletableFuture<Opening>> opening) {
    UpstreamMeters.Sample sample = meters.start();
    return sample.recordFailed(opening.get());
  }

  private static CompletableFuture<Response> counted(
      UpstreamMeters.Sample sample, CompletableFuture<Response> response) {
    CompletableFuture<Response> counted = response.thenApply(sample::record);
    CompletableFuture<Response> _ =
        counted.whenComplete((_, failure) -> {
          if (failure != null) {
            response.cancel(false); // closes the connection
            sample.recordFailure(failure);
          }
        });
    return counted;
  }

  /**
   * Waits for the result of a request, and completes the response or continues.
   *
   * @param retry sends the request again when it got no answer; absent when that is not safe
   */
  private void follow(
      Pending pending,
      CompletableFuture<ExchangeResult> sent,
      Reconnects reconnects,
      @Nullable Runnable retry) {
    CompletableFuture<Response> _ = pending.response.whenComplete((_, _) -> sent.cancel(false));
    CompletableFuture<Void> _ =
        sent.thenAccept(
                exchangeResult -> {
                  if (retry != null && isUnanswered(exchangeResult) && !pending.response.isDone()) {
                    retry.run();
                  } else {
                    resumeOrComplete(pending, exchangeResult, reconnects);
                  }
                })
            .exceptionally(failure -> {
              pending.response.completeExceptionally(failure);
              return null;
            });
  }

  private void resumeOrComplete(
      Pending pending, ExchangeResult exchangeResult, Reconnects reconnects) {
    HttpAnswers httpAnswers = pending.httpAnswers;
    Reconnects left = reconnects.afterCut(httpAnswers.lastEventId());
    if (isCut(exchangeResult) && left.mayResume()) {
      httpAnswers.deadline().watch(pending.timeouts, httpAnswers, pending.response);
      afterPause(httpAnswers, () -> resume(pending, left));
    } else {
      pending.response.complete(httpAnswers.response(exchangeResult));
    }
  }

  private void resume(Pending pending, Reconnects reconnects) {
    if (!pending.response.isDone()) {
      CompletableFuture<ExchangeResult> sent =
          connectionPool.send(
              HttpMethod.GET,
              listenHeaders(pending.protocolMode, reconnects.eventId()),
              pending.timeouts,
              pending.httpAnswers);
      follow(pending, sent, reconnects, null);
    }
  }

  static boolean isCut(ExchangeResult exchangeResult) {
    return exchangeResult instanceof ExchangeResult.Broken(Defect defect)
        && (defect == Defect.STREAM_WITHOUT_ANSWER || defect == Defect.CLOSED_IN_BODY);
  }

  /** Runs an action after the retry time of a stream. */
  static void afterPause(HttpAnswers httpAnswers, Runnable then) {
    long millis =
        Math.clamp(
            httpAnswers.retryMillis().orElse(RECONNECT_MILLIS),
            RECONNECT_MILLIS_MIN,
            RECONNECT_MILLIS_MAX);
    httpAnswers.notifyPause(millis);
    CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(then);
  }

  /** Opens the stream of messages that belong to no call. */
  CompletableFuture<ExchangeResult> listen(ProtocolMode protocolMode, HttpAnswers httpAnswers) {
    return connectionPool.send(
        HttpMethod.GET,
        listenHeaders(protocolMode, httpAnswers.lastEventId()),
        timeouts.unlimitedStream(),
        httpAnswers);
  }

  /** Sends a response of the client. */
  CompletableFuture<Response> reply(ProtocolMode protocolMode, byte[] answer) {
    HttpAnswers none = answersTo(null, MessageListener.NONE);
    return connectionPool
        .post(headers(protocolMode), answer, timeouts, none)
        .thenApply(none::response);
  }

  /** Ends the session at the source. */
  CompletableFuture<ExchangeResult> deleteSession(ProtocolMode protocolMode) {
    return connectionPool.send(
        HttpMethod.DELETE, headers(protocolMode), timeouts, answersTo(null, MessageListener.NONE));
  }

  private byte[] body(ProtocolMode protocolMode, @Nullable String id, Call call) {
    String method = isMcp() ? call.method() : ownMethod(call.method());
    String params = params(protocolMode, call);
    return id == null
        ? MessageWriter.notification(method, params)
        : MessageWriter.request(id, method, params);
  }

  private @Nullable String params(ProtocolMode protocolMode, Call call) {
    if (!isMcp()) {
      return call.params();
    }
    String own = CallTargets.forSource(call, source);
    return protocolMode instanceof ProtocolMode.Stateless(var capabilities)
        ? StatelessMeta.withMeta(
            own, call.members(), McpRevisions.STATELESS.getFirst(), capabilities, clientInfo)
        : own;
  }

  private String ownMethod(String method) {
    return method.startsWith(source.prefix()) ? source.ownName(method) : method;
  }

  private HttpHeaders headers(ProtocolMode protocolMode, Call call) {
    HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
    ForwardedHeaders.of(call.headers()).forEach(headers::set);
    if (isMcp()) {
      MirroredHeaders.set(headers, call, this::ownMethod);
    }
    return completed(headers, protocolMode);
  }

  private HttpHeaders headers(ProtocolMode protocolMode) {
    return completed(DefaultHttpHeadersFactory.headersFactory().newHeaders(), protocolMode);
  }

  private HttpHeaders listenHeaders(ProtocolMode protocolMode, String lastEventId) {
    HttpHeaders headers = headers(protocolMode);
    headers.remove(HttpHeaderNames.CONTENT_TYPE);
    headers.set(HttpHeaderNames.ACCEPT, EVENTS);
    if (!lastEventId.isEmpty()) {
      headers.set("Last-Event-ID", lastEventId);
    }
    return headers;
  }

  private HttpHeaders completed(HttpHeaders headers, ProtocolMode protocolMode) {
    switch (protocolMode) {
      case ProtocolMode.Bare() -> {
        // only the caller's own headers
      }
      case ProtocolMode.Negotiated(var version, var session, _) -> {
        headers.set(VERSION, version);
        if (session != null) {
          headers.set(SESSION, session);
        }
      }
      case ProtocolMode.Stateless _ -> {
        if (!McpRevisions.isStateless(headers.get(VERSION))) {
          headers.set(VERSION, McpRevisions.STATELESS.getFirst());
        }
      }
    }
    source.headers().forEach(headers::set);
    headers.set(HttpHeaderNames.CONTENT_TYPE, JSON);
    headers.set(HttpHeaderNames.ACCEPT, isMcp() ? JSON + ", " + EVENTS : JSON);
    return headers;
  }

  private boolean isMcp() {
    return source.kind() == Source.Kind.MCP;
  }
}
