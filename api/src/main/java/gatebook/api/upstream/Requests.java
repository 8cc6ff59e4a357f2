package gatebook.api.upstream;

import static gatebook.api.rpc.Quoted.quoted;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.rpc.ResponseReader;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.http.Ending;
import gatebook.api.upstream.http.Ending.Defect;
import gatebook.api.upstream.http.Line;
import gatebook.api.upstream.http.Patience;
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
final class Requests {

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
  private final Line line;
  private final Patience patience;
  private final ResponseReader reader;
  private final SourceMeters meters;
  private final InstantSource clock;
  private final AtomicLong ids = new AtomicLong();

  Requests(
      Upstream upstream,
      Source source,
      Line line,
      Patience patience,
      ResponseReader reader,
      SourceMeters meters,
      InstantSource clock) {
    this.upstream = upstream;
    this.source = source;
    this.line = line;
    this.patience = patience;
    this.reader = reader;
    this.meters = meters;
    this.clock = clock;
  }

  /** How long a stream may go on. */
  long streamMillis() {
    return patience.streamMillis();
  }

  Source source() {
    return source;
  }

  /** The token of an id that nobody else has. */
  String newId() {
    return Long.toString(ids.incrementAndGet());
  }

  Answers answers(@Nullable String id, Aside aside) {
    return new Answers(upstream, reader, id, ByCallersNames.of(aside, source), clock);
  }

  /** Makes one attempt, and goes on with an answer that is cut where it can be gone on with. */
  CompletableFuture<Response> send(Talk talk, Call call, Answers answers) {
    return counted(meters.begin(), sendUncounted(talk, call, answers));
  }

  /** The same for what no caller asked for. */
  CompletableFuture<Response> sendUncounted(Talk talk, Call call, Answers answers) {
    CompletableFuture<Response> response = new CompletableFuture<>();
    follow(
        talk,
        answers,
        line.post(headers(talk, call), body(talk, answers.id(), call), patienceFor(call), answers),
        response,
        AGAIN_MAX);
    return response;
  }

  /** A stream of changes ends when somebody wants it to. */
  private Patience patienceFor(Call call) {
    return call.method().equals("subscriptions/listen") ? patience.withoutEnd() : patience;
  }

  /** The response to a call of which nothing could be sent. */
  Response unsent(Response response) {
    return meters.begin().ended(response);
  }

  private static CompletableFuture<Response> counted(
      SourceMeters.Sample sample, CompletableFuture<Response> response) {
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
      Talk talk,
      Answers answers,
      CompletableFuture<Ending> sent,
      CompletableFuture<Response> response,
      int again) {
    CompletableFuture<Response> _ = response.whenComplete((_, _) -> sent.cancel(false));
    CompletableFuture<Ending> _ =
        sent.whenComplete((ending, failure) -> {
          if (failure != null) {
            response.completeExceptionally(failure);
          } else if (again > 0 && isCut(ending) && !answers.place().isEmpty()) {
            afterPause(answers, () -> resume(talk, answers, response, again - 1));
          } else {
            response.complete(answers.response(ending));
          }
        });
  }

  private void resume(Talk talk, Answers answers, CompletableFuture<Response> response, int again) {
    if (!response.isDone()) {
      String before = answers.place();
      CompletableFuture<Ending> sent =
          line.send(HttpMethod.GET, listening(talk, before), patience, answers);
      follow(
          talk,
          answers,
          sent,
          response,
          again == 0 || before.equals(answers.place()) ? again : AGAIN_MAX);
    }
  }

  static boolean isCut(Ending ending) {
    return ending instanceof Ending.Broken(Defect defect)
        && (defect == Defect.STREAM_WITHOUT_ANSWER || defect == Defect.CLOSED_IN_BODY);
  }

  /** Runs something when the sender of a stream wants it to be asked for again. */
  static void afterPause(Answers answers, Runnable then) {
    long millis = Math.min(answers.retryMillis().orElse(AGAIN_MILLIS), AGAIN_MILLIS_MAX);
    answers.paused(millis);
    CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(then);
  }

  /** Asks for what the source says that belongs to no call. */
  CompletableFuture<Ending> listen(Talk talk, Answers answers) {
    return line.send(
        HttpMethod.GET, listening(talk, answers.place()), patience.withoutEnd(), answers);
  }

  /** Hands over an answer of the client's. */
  CompletableFuture<Response> reply(Talk talk, byte[] answer) {
    Answers none = answers(null, Aside.NOBODY);
    return line.post(headers(talk), answer, patience, none).thenApply(none::response);
  }

  /** Says that nobody needs the session any more. */
  CompletableFuture<Ending> leave(Talk talk) {
    return line.send(HttpMethod.DELETE, headers(talk), patience, answers(null, Aside.NOBODY));
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

  private byte[] body(Talk talk, @Nullable String id, Call call) {
    String method = isMcp() ? call.method() : ownMethod(call.method());
    String params = params(talk, call);
    return "{\"jsonrpc\":\"2.0\"%s,\"method\":%s%s}"
        .formatted(
            id == null ? "" : ",\"id\":" + id,
            quoted(method),
            params == null ? "" : ",\"params\":" + params)
        .getBytes(UTF_8);
  }

  private @Nullable String params(Talk talk, Call call) {
    if (!isMcp()) {
      return call.params();
    }
    String own = Names.withOwnName(call.method(), call.params(), source);
    return talk instanceof Talk.Stateless(var capabilities)
        ? Stateless.withMeta(own, Revisions.STATELESS.getFirst(), capabilities)
        : own;
  }

  private String ownMethod(String method) {
    return method.startsWith(source.prefix()) ? source.ownName(method) : method;
  }

  private HttpHeaders headers(Talk talk, Call call) {
    HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
    Passed.of(call.headers()).forEach(headers::set);
    if (isMcp()) {
      mirror(headers, call);
    }
    return completed(headers, talk);
  }

  private HttpHeaders headers(Talk talk) {
    return completed(DefaultHttpHeadersFactory.headersFactory().newHeaders(), talk);
  }

  private HttpHeaders listening(Talk talk, String place) {
    HttpHeaders headers = headers(talk);
    headers.remove(HttpHeaderNames.CONTENT_TYPE);
    headers.set(HttpHeaderNames.ACCEPT, EVENTS);
    if (!place.isEmpty()) {
      headers.set("Last-Event-ID", place);
    }
    return headers;
  }

  private HttpHeaders completed(HttpHeaders headers, Talk talk) {
    switch (talk) {
      case Talk.Bare() -> {
        // the caller's own words are all there is
      }
      case Talk.Agreed(var version, var session, _) -> {
        headers.set(VERSION, version);
        if (session != null) {
          headers.set(SESSION, session);
        }
      }
      case Talk.Stateless _ -> {
        if (!Revisions.isStateless(headers.get(VERSION))) {
          headers.set(VERSION, Revisions.STATELESS.getFirst());
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
    Names.repeated(call.method(), call.params())
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
