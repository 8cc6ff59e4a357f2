package gatebook.api.upstream;

import static gatebook.api.rpc.Quoted.quoted;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.rpc.ResponseReader;
import gatebook.api.upstream.http.Ending;
import gatebook.api.upstream.http.Line;
import gatebook.command.receive.Forwarding;
import gatebook.command.rules.Source;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A source that is asked with JSON-RPC over HTTP. */
final class HttpSource implements Upstream {

  private final Source source;
  private final Line line;
  private final ResponseReader reader;
  private final SourceMeters meters;
  private final InstantSource clock;
  private final String endpoint;

  /** Ids are our own, so that no two callers' can be the same. */
  private final AtomicLong ids = new AtomicLong();

  HttpSource(
      Source source, Line line, ResponseReader reader, SourceMeters meters, InstantSource clock) {
    this.source = source;
    this.line = line;
    this.reader = reader;
    this.meters = meters;
    this.clock = clock;
    this.endpoint = Forwarding.endpoint(source);
  }

  @Override
  public String source() {
    return source.id();
  }

  @Override
  public String endpoint() {
    return endpoint;
  }

  @Override
  public long timeoutMillis() {
    return source.answerMillis();
  }

  @Override
  public CompletableFuture<Response> call(Call call) {
    String id = call.notification() ? null : Long.toString(ids.incrementAndGet());
    Answers answers = new Answers(this, reader, id, clock);
    SourceMeters.Sample sample = meters.begin();
    CompletableFuture<Ending> sent =
        line.post(headers(call), body(call, id), source.answerMillis(), answers);
    CompletableFuture<Response> response =
        sent.thenApply(ending -> sample.ended(answers.response(ending)));
    CompletableFuture<Response> _ =
        response.whenComplete((_, failure) -> {
          if (failure != null) {
            sent.cancel(false); // whoever gives up hangs up
            sample.failed(failure);
          }
        });
    return response;
  }

  @Override
  public CompletableFuture<Listing> tools() {
    return source.kind() == Source.Kind.MCP
        ? new ToolPages(this).all()
        : CompletableFuture.completedFuture(new Listing.Tools(List.of()));
  }

  private byte[] body(Call call, @Nullable String id) {
    String method = isMcp() ? call.method() : ownMethod(call.method());
    String params =
        isMcp() ? Names.withOwnName(call.method(), call.params(), source) : call.params();
    return "{\"jsonrpc\":\"2.0\"%s,\"method\":%s%s}"
        .formatted(
            id == null ? "" : ",\"id\":" + id,
            quoted(method),
            params == null ? "" : ",\"params\":" + params)
        .getBytes(UTF_8);
  }

  private String ownMethod(String method) {
    return method.startsWith(source.prefix()) ? source.ownName(method) : method;
  }

  private HttpHeaders headers(Call call) {
    HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
    Passed.of(call.headers()).forEach(headers::set);
    if (isMcp()) {
      mirror(headers, call);
    }
    source.headers().forEach(headers::set);
    headers.set(HttpHeaderNames.CONTENT_TYPE, "application/json");
    headers.set(
        HttpHeaderNames.ACCEPT,
        isMcp() ? "application/json, text/event-stream" : "application/json");
    return headers;
  }

  /** Servers of newer revisions refuse a request whose headers do not repeat what is in it. */
  private void mirror(HttpHeaders headers, Call call) {
    headers.set("Mcp-Method", encoded(call.method()));
    Names.named(call.method(), call.params())
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
