package gatebook.api.upstream.source;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.rpc.ResponseReader;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.ExchangeResult.Defect;
import gatebook.api.upstream.http.Timeouts;
import gatebook.api.upstream.mcp.CallTargets;
import gatebook.api.upstream.mcp.ForwardedHeaders;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.api.upstream.mcp.PrefixingListener;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.command.rules.Source;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.time.InstantSource;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What is sent to one source over HTTP, and what its answers mean. */
final class HttpRequests {

  static final String SESSION = "Mcp-Session-Id";

  private static final String VERSION = "MCP-Protocol-Version";
  private static final String JSON = "application/json";
  private static final String EVENTS = "text/event-stream";
  private static final int NOT_FOUND = 404;

  /** How long to wait before a stream is asked for again, when its sender does not say. */
  private static final long AGAIN_MILLIS = 1_000;

  private static final long AGAIN_MILLIS_MAX = 30_000;

  /** A stream that breaks off so often in a row, and says nothing in between, has no end. */
  private static final int AGAIN_MAX = 10;

  private final Upstream upstream;
  private final Source source;
  private final ConnectionPool connectionPool;
  private final Timeouts timeouts;
  private final ResponseReader reader;
  private final UpstreamMeters meters;
  private final InstantSource clock;
  private final AtomicLong ids = new AtomicLong();

  HttpRequests(
      Upstream upstream,
      Source source,
      ConnectionPool connectionPool,
      Timeouts timeouts,
      ResponseReader reader,
      UpstreamMeters meters,
      InstantSource clock) {
    this.upstream = upstream;
    this.source = source;
    this.connectionPool = connectionPool;
    this.timeouts = timeouts;
    this.reader = reader;
    this.meters = meters;
    this.clock = clock;
  }

  /** How long a stream may go on. */
  long streamMillis() {
    return timeouts.streamMillis();
  }

  Source source() {
    return source;
  }

  /** The token of an id that nobody else has. */
  String newId() {
    return Long.toString(ids.incrementAndGet());
  }

  HttpAnswers answers(@Nullable String id, Aside aside) {
    return new HttpAnswers(upstream, reader, id, PrefixingListener.of(aside, source), clock);
  }

  /** Makes one attempt, and goes on with an answer that is cut where it can be gone on with. */
  CompletableFuture<Response> send(ProtocolMode protocolMode, Call call, HttpAnswers httpAnswers) {
    return counted(meters.begin(), sendUncounted(protocolMode, call, httpAnswers));
  }

  /** The same for what no caller asked for. */
  CompletableFuture<Response> sendUncounted(
      ProtocolMode protocolMode, Call call, HttpAnswers httpAnswers) {
    CompletableFuture<Response> response = new CompletableFuture<>();
    follow(
        protocolMode,
        httpAnswers,
        connectionPool.post(
            headers(protocolMode, call),
            body(protocolMode, httpAnswers.id(), call),
            patienceFor(call),
            httpAnswers),
        response,
        AGAIN_MAX);
    return response;
  }

  /** A stream of changes ends when somebody wants it to. */
  private Timeouts patienceFor(Call call) {
    return call.method().equals("subscriptions/listen") ? timeouts.withoutEnd() : timeouts;
  }

  /** The response to a call of which nothing could be sent. */
  Response unsent(Response response) {
    return meters.begin().ended(response);
  }

  private static CompletableFuture<Response> counted(
      UpstreamMeters.Sample sample, CompletableFuture<Response> response) {
    CompletableFuture<Response> counted = response.thenApply(sample::ended);
    CompletableFuture<Response> _ =
        counted.whenComplete((_, failure) -> {
          if (failure != null) {
            response.cancel(false); // whoever gives up hangs up
            sample.failed(failure);
          }
        });
    return counted;
  }

  private void follow(
      ProtocolMode protocolMode,
      HttpAnswers httpAnswers,
      CompletableFuture<ExchangeResult> sent,
      CompletableFuture<Response> response,
      int again) {
    CompletableFuture<Response> _ = response.whenComplete((_, _) -> sent.cancel(false));
    CompletableFuture<ExchangeResult> _ =
        sent.whenComplete((exchangeResult, failure) -> {
          if (failure != null) {
            response.completeExceptionally(failure);
          } else if (again > 0 && isCut(exchangeResult) && !httpAnswers.place().isEmpty()) {
            afterPause(httpAnswers, () -> resume(protocolMode, httpAnswers, response, again - 1));
          } else {
            response.complete(httpAnswers.response(exchangeResult));
          }
        });
  }

  private void resume(
      ProtocolMode protocolMode,
      HttpAnswers httpAnswers,
      CompletableFuture<Response> response,
      int again) {
    if (!response.isDone()) {
      String before = httpAnswers.place();
      CompletableFuture<ExchangeResult> sent =
          connectionPool.send(
              HttpMethod.GET, listening(protocolMode, before), timeouts, httpAnswers);
      follow(
          protocolMode,
          httpAnswers,
          sent,
          response,
          again == 0 || before.equals(httpAnswers.place()) ? again : AGAIN_MAX);
    }
  }

  static boolean isCut(ExchangeResult exchangeResult) {
    return exchangeResult instanceof ExchangeResult.Broken(Defect defect)
        && (defect == Defect.STREAM_WITHOUT_ANSWER || defect == Defect.CLOSED_IN_BODY);
  }

  /** Runs something when the sender of a stream wants it to be asked for again. */
  static void afterPause(HttpAnswers httpAnswers, Runnable then) {
    long millis = Math.min(httpAnswers.retryMillis().orElse(AGAIN_MILLIS), AGAIN_MILLIS_MAX);
    httpAnswers.paused(millis);
    CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(then);
  }

  /** Asks for what the source says that belongs to no call. */
  CompletableFuture<ExchangeResult> listen(ProtocolMode protocolMode, HttpAnswers httpAnswers) {
    return connectionPool.send(
        HttpMethod.GET,
        listening(protocolMode, httpAnswers.place()),
        timeouts.withoutEnd(),
        httpAnswers);
  }

  /** Hands over an answer of the client's. */
  CompletableFuture<Response> reply(ProtocolMode protocolMode, byte[] answer) {
    HttpAnswers none = answers(null, Aside.NOBODY);
    return connectionPool
        .post(headers(protocolMode), answer, timeouts, none)
        .thenApply(none::response);
  }

  /** Says that nobody needs the session any more. */
  CompletableFuture<ExchangeResult> leave(ProtocolMode protocolMode) {
    return connectionPool.send(
        HttpMethod.DELETE, headers(protocolMode), timeouts, answers(null, Aside.NOBODY));
  }

  /** Whether the source says that it does not know the session, or not any longer. */
  static boolean isOfNoSession(Response response) {
    return switch (response) {
      case Ended.ForeignError error -> isNotFound(error.httpStatus());
      case Ended.Failure(UpstreamError error) -> isNotFound(error.httpStatus());
      case Ended _, Response.NotConnected _, Response.Again _ -> false;
    };
  }

  private static boolean isNotFound(@Nullable Integer status) {
    return status != null && status == NOT_FOUND;
  }

  private byte[] body(ProtocolMode protocolMode, @Nullable String id, Call call) {
    String method = isMcp() ? call.method() : ownMethod(call.method());
    String params = params(protocolMode, call);
    return "{\"jsonrpc\":\"2.0\"%s,\"method\":%s%s}"
        .formatted(
            id == null ? "" : ",\"id\":" + id,
            quoted(method),
            params == null ? "" : ",\"params\":" + params)
        .getBytes(UTF_8);
  }

  private @Nullable String params(ProtocolMode protocolMode, Call call) {
    if (!isMcp()) {
      return call.params();
    }
    String own = CallTargets.withOwnName(call.method(), call.params(), source);
    return protocolMode instanceof ProtocolMode.Stateless(var capabilities)
        ? StatelessMeta.withMeta(own, McpRevisions.STATELESS.getFirst(), capabilities)
        : own;
  }

  private String ownMethod(String method) {
    return method.startsWith(source.prefix()) ? source.ownName(method) : method;
  }

  private HttpHeaders headers(ProtocolMode protocolMode, Call call) {
    HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
    ForwardedHeaders.of(call.headers()).forEach(headers::set);
    if (isMcp()) {
      mirror(headers, call);
    }
    return completed(headers, protocolMode);
  }

  private HttpHeaders headers(ProtocolMode protocolMode) {
    return completed(DefaultHttpHeadersFactory.headersFactory().newHeaders(), protocolMode);
  }

  private HttpHeaders listening(ProtocolMode protocolMode, String place) {
    HttpHeaders headers = headers(protocolMode);
    headers.remove(HttpHeaderNames.CONTENT_TYPE);
    headers.set(HttpHeaderNames.ACCEPT, EVENTS);
    if (!place.isEmpty()) {
      headers.set("Last-Event-ID", place);
    }
    return headers;
  }

  private HttpHeaders completed(HttpHeaders headers, ProtocolMode protocolMode) {
    switch (protocolMode) {
      case ProtocolMode.Bare() -> {
        // the caller's own words are all there is
      }
      case ProtocolMode.Agreed(var version, var session, _) -> {
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

  /** Servers of newer revisions refuse a request whose headers do not repeat what is in it. */
  private void mirror(HttpHeaders headers, Call call) {
    headers.set("Mcp-Method", encoded(call.method()));
    CallTargets.repeated(call.method(), call.params())
        .ifPresent(name -> headers.set("Mcp-Name", encoded(ownMethod(name))));
  }

  private static String encoded(String text) {
    boolean plain =
        US_ASCII.newEncoder().canEncode(text)
            && text.chars().noneMatch(c -> c < ' ' || c == 0x7f)
            && text.equals(text.strip())
            && !text.startsWith("=?");
    return plain
        ? text
        : "=?base64?%s?=".formatted(Base64.getEncoder().encodeToString(text.getBytes(UTF_8)));
  }

  private boolean isMcp() {
    return source.kind() == Source.Kind.MCP;
  }
}
