package gatebook.api.callers;

import gatebook.api.border.Border;
import gatebook.api.border.Caller;
import gatebook.api.border.Conversation;
import gatebook.api.border.Incoming;
import gatebook.api.border.Presence;
import gatebook.api.border.Reply;
import gatebook.api.http.Body;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.HttpPresence;
import gatebook.api.rpc.Message;
import gatebook.api.rpc.MessageReader;
import gatebook.command.rules.Limits;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The way of a request to the border and back, whatever its dialect. The futures never fail:
 * whatever goes wrong here is told in the caller's dialect, and recorded, like any other fault.
 */
@Singleton
final class CallersDoor {

  static final String CORRELATION = HttpErrors.CORRELATION;
  private static final String TRACEPARENT = "traceparent";

  private final Border border;
  private final CurrentLimits limits;

  CallersDoor(Border border, CurrentLimits limits) {
    this.border = border;
    this.limits = limits;
  }

  CompletableFuture<HttpResponse<?>> serve(Dialect dialect, HttpRequest<?> request) {
    Limits now = limits.now();
    return CompletableFuture.completedFuture(request)
        .thenCompose(whole -> Body.of(whole, now.bodyBytesMax()))
        .thenCompose(body ->
            border.serve(
                dialect, incoming(dialect, request, body, message(body, now), Conversation.NONE)))
        .exceptionallyCompose(failure -> failed(dialect, request, failure))
        .thenApply(CallersDoor::response);
  }

  /** The answer to a request that something else went wrong with, before it came here. */
  CompletableFuture<HttpResponse<?>> fail(
      Dialect dialect, HttpRequest<?> request, Throwable failure) {
    return failed(dialect, request, failure).thenApply(CallersDoor::response);
  }

  private CompletableFuture<Reply> failed(
      Dialect dialect, HttpRequest<?> request, Throwable failure) {
    return border.failed(
        dialect,
        failure,
        Transport.HTTP,
        caller(request),
        request.getHeaders().get(CORRELATION),
        Declared.version(dialect, request));
  }

  static Message message(Body body, Limits limits) {
    return body.fault() == null
        ? new MessageReader(limits.depthMax()).read(body.bytes())
        : new Message.Unreadable(body.fault(), null);
  }

  Incoming incoming(
      Dialect dialect,
      HttpRequest<?> request,
      Body body,
      Message message,
      Conversation conversation) {
    HttpHeaders headers = request.getHeaders();
    return new Incoming(
        Strictness.of(dialect, message),
        body.sizeBytes(),
        Transport.HTTP,
        caller(request, conversation),
        headers.get(CORRELATION),
        only(headers.getAll(TRACEPARENT)),
        Declared.version(dialect, request),
        conversation,
        combined(headers));
  }

  private static @Nullable String only(List<String> values) {
    return values.size() == 1 ? values.getFirst() : null;
  }

  /** A header that came in several lines is one list. */
  private static Map<String, String> combined(HttpHeaders headers) {
    Map<String, String> combined = new HashMap<>();
    for (String name : headers.names()) {
      combined.put(name.toLowerCase(Locale.ROOT), String.join(",", headers.getAll(name)));
    }
    return combined;
  }

  static Caller caller(HttpRequest<?> request) {
    return caller(request, Conversation.NONE);
  }

  /** A conversation may know better when somebody is gone than his connection does. */
  private static Caller caller(HttpRequest<?> request, Conversation conversation) {
    return new Caller(
        request.getHeaders().getAll(HttpHeaders.AUTHORIZATION),
        request.getRemoteAddress().getAddress().isLoopbackAddress(),
        conversation instanceof Presence presence ? presence : HttpPresence.of(request));
  }

  static MutableHttpResponse<?> response(Reply reply) {
    MutableHttpResponse<byte[]> response =
        HttpResponse.<byte[]>status(HttpStatus.valueOf(reply.httpStatus()))
            .header(CORRELATION, reply.correlationId());
    if (response.status() == HttpStatus.UNAUTHORIZED) {
      response.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }
    return reply.body() == null
        ? response
        : response.contentType(MediaType.APPLICATION_JSON_TYPE).body(reply.body());
  }
}
