package gatebook.api.callers;

import gatebook.api.a2a.message.A2aEndpoint;
import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.Gateway.PendingReply;
import gatebook.api.gateway.message.Caller;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.IncomingMessage;
import gatebook.api.gateway.message.Reply;
import gatebook.api.gateway.message.TokenVerdict;
import gatebook.api.http.CertificateNames;
import gatebook.api.http.ClientExchange;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.Forwarding;
import gatebook.api.http.HttpCallerConnection;
import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.RequestBody;
import gatebook.api.http.SsePublisher;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.rules.Limit;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.netty.NettyHttpRequest;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Handles callers' requests in any dialect: passes each to the gateway, and its reply back. A
 * failure here becomes an error response in the caller's dialect, and is recorded, like any other
 * fault.
 */
@Singleton
final class CallersHandler {

  static final String CORRELATION = HttpErrors.CORRELATION;
  private static final String TRACEPARENT = "traceparent";

  /** How the names begin of the headers that a dialect or a source reads. */
  private static final List<String> READ = List.of("mcp-", "trace", "a2a-", "x-a2a-");

  /** The statuses after which clients retry by themselves. */
  private static final Set<HttpStatus> RETRIED =
      Set.of(HttpStatus.TOO_MANY_REQUESTS, HttpStatus.SERVICE_UNAVAILABLE);

  /** The time after which a retry is suggested when it is unknown when one may succeed. */
  private static final long RETRY_SECONDS = 1;

  private final Gateway gateway;
  private final CurrentLimits limits;
  private final HttpErrors errors;
  private final Forwarding forwarding;
  private final ProtectedResource protectedResource;

  CallersHandler(
      Gateway gateway,
      CurrentLimits limits,
      HttpErrors errors,
      Forwarding forwarding,
      ProtectedResource protectedResource) {
    this.gateway = gateway;
    this.limits = limits;
    this.errors = errors;
    this.forwarding = forwarding;
    this.protectedResource = protectedResource;
  }

  /** Serves a request whose response is a single answer; its body is read as a message. */
  CompletableFuture<HttpResponse<?>> answer(Dialect dialect, HttpRequest<?> request) {
    return answer(dialect, request, this::message);
  }

  /** Serves a request whose response is a single answer. */
  CompletableFuture<HttpResponse<?>> answer(
      Dialect dialect, HttpRequest<?> request, Function<RequestBody, RpcMessage> reader) {
    return read(
        dialect,
        request,
        requestBody -> {
          IncomingMessage incomingMessage =
              incoming(
                  dialect,
                  request,
                  requestBody,
                  reader.apply(requestBody),
                  ClientChannel.NONE,
                  HttpCallerConnection.of(request));
          return gateway
              .serve(dialect, incomingMessage)
              .thenApply(reply -> response(request, reply));
        });
  }

  /** Serves a request in an exchange that is opened for its message. */
  CompletableFuture<HttpResponse<?>> serve(
      Dialect dialect, HttpRequest<?> request, Function<RpcMessage, ClientExchange> exchanges) {
    return read(
        dialect,
        request,
        requestBody -> {
          RpcMessage rpcMessage = message(requestBody);
          return serve(dialect, request, requestBody, rpcMessage, exchanges.apply(rpcMessage));
        });
  }

  /** Reads the body, and responds when there is no memory for it, or it cannot be read. */
  CompletableFuture<HttpResponse<?>> read(
      Dialect dialect,
      HttpRequest<?> request,
      Function<RequestBody, CompletableFuture<HttpResponse<?>>> then) {
    return RequestBody.of(request, limits.now().get(Limit.BODY_BYTES_MAX))
        .thenCompose(requestBody ->
            requestBody.isOverload()
                ? CompletableFuture.completedFuture(response(request, overload(dialect, request)))
                : then.apply(requestBody));
  }

  /** Serves a message that was read; the stream of its exchange may open before the answer. */
  CompletableFuture<HttpResponse<?>> serve(
      Dialect dialect,
      HttpRequest<?> request,
      RequestBody requestBody,
      RpcMessage rpcMessage,
      ClientExchange exchange) {
    IncomingMessage incomingMessage =
        incoming(dialect, request, requestBody, rpcMessage, exchange, exchange.connection());
    Optional<? extends Fault> refusal =
        DialectStrictness.refusal(dialect, incomingMessage.dialectVersion(), rpcMessage);
    if (refusal.isPresent()) {
      return gateway
          .refused(dialect, incomingMessage, refusal.get())
          .thenApply(reply -> response(request, exchange, reply));
    }
    PendingReply pendingReply = gateway.start(dialect, incomingMessage);
    CompletableFuture<HttpResponse<?>> whole =
        pendingReply.reply().thenApply(reply -> response(request, exchange, reply));
    CompletableFuture<HttpResponse<?>> early =
        exchange
            .openedEarly()
            .thenApply(stream -> stream(exchange, stream, pendingReply.correlationId()));
    return whole.applyToEither(early, response -> response);
  }

  private HttpResponse<?> response(HttpRequest<?> request, ClientExchange exchange, Reply reply) {
    Optional<SsePublisher> stream = exchange.answer(reply);
    return stream.isPresent()
        ? stream(exchange, stream.get(), reply.correlationId())
        : withHeaders(exchange, response(request, reply));
  }

  private static HttpResponse<?> stream(
      ClientExchange exchange, SsePublisher stream, String correlationId) {
    return withHeaders(exchange, stream.response().header(CORRELATION, correlationId));
  }

  private static HttpResponse<?> withHeaders(
      ClientExchange exchange, MutableHttpResponse<?> response) {
    exchange.headers().forEach(response::header);
    return response;
  }

  /** The reply to a message for which there is no memory: an error of HTTP, which is counted. */
  private Reply overload(Dialect dialect, HttpRequest<?> request) {
    gateway.countOverload(dialect, Transport.HTTP);
    MutableHttpResponse<byte[]> refusal = errors.response(request, HttpError.OVERLOADED);
    return new Reply(
        String.valueOf(refusal.header(CORRELATION)), refusal.code(), refusal.body(), RETRY_SECONDS);
  }

  /** The response to a request that failed. */
  CompletableFuture<HttpResponse<?>> fail(
      Dialect dialect, HttpRequest<?> request, Throwable failure) {
    return gateway
        .failed(
            dialect,
            failure,
            Transport.HTTP,
            caller(request),
            request.getHeaders().get(CORRELATION),
            DeclaredVersion.version(dialect, request))
        .thenApply(reply -> response(request, reply));
  }

  /** The response to a request without a message, whose caller is not known. */
  HttpResponse<?> unknown(HttpRequest<?> request) {
    return CallerTokens.isUnverifiable(request)
        ? errors.response(request, HttpError.SIGN_ON_KEYS)
        : protectedResource.challenge(request, errors.response(request, HttpError.TOKEN_UNKNOWN));
  }

  RpcMessage message(RequestBody requestBody) {
    return requestBody.fault() == null
        ? new MessageReader(limits.now().getInt(Limit.DEPTH_MAX)).read(requestBody.bytes())
        : new RpcMessage.Unreadable(requestBody.fault(), null);
  }

  private IncomingMessage incoming(
      Dialect dialect,
      HttpRequest<?> request,
      RequestBody requestBody,
      RpcMessage rpcMessage,
      ClientChannel clientChannel,
      CallerConnection connection) {
    HttpHeaders headers = request.getHeaders();
    return new IncomingMessage(
        DialectStrictness.check(dialect, rpcMessage),
        requestBody.sizeBytes(),
        Transport.HTTP,
        caller(request, connection),
        headers.get(CORRELATION),
        single(headers.getAll(TRACEPARENT)),
        DeclaredVersion.version(dialect, request),
        clientChannel,
        read(request),
        dialect == Dialect.A2A ? A2aEndpoint.at(request.getPath()).agent() : null,
        requestBody.memory());
  }

  private static @Nullable String single(List<String> values) {
    return values.size() == 1 ? values.getFirst() : null;
  }

  /** The headers that are read. One that came in several lines is joined to one list. */
  private static Map<String, String> read(HttpRequest<?> request) {
    if (!(request instanceof NettyHttpRequest<?> netty)) {
      return Map.of();
    }
    Map<String, String> read = new HashMap<>();
    netty
        .getNativeRequest()
        .headers()
        .iteratorCharSequence()
        .forEachRemaining(header -> {
          String name = header.getKey().toString();
          if (isRead(name)) {
            read.merge(
                name.toLowerCase(Locale.ROOT),
                header.getValue().toString(),
                (list, line) -> list + "," + line);
          }
        });
    return read;
  }

  private static boolean isRead(String name) {
    for (String prefix : READ) {
      if (name.regionMatches(true, 0, prefix, 0, prefix.length())) {
        return true;
      }
    }
    return false;
  }

  Caller caller(HttpRequest<?> request) {
    return caller(request, HttpCallerConnection.of(request));
  }

  private Caller caller(HttpRequest<?> request, CallerConnection connection) {
    List<String> authorization = request.getHeaders().getAll(HttpHeaders.AUTHORIZATION);
    return new Caller(
        authorization,
        authorization.isEmpty() ? TokenVerdict.OPAQUE : CallerTokens.verdict(request),
        authorization.isEmpty() ? CertificateNames.of(request) : List.of(),
        forwarding.isFromThisMachine(request),
        connection,
        null);
  }

  private MutableHttpResponse<?> response(HttpRequest<?> request, Reply reply) {
    MutableHttpResponse<byte[]> response =
        protectedResource.challenge(
            request,
            HttpResponse.<byte[]>status(HttpStatus.valueOf(reply.httpStatus()))
                .header(CORRELATION, reply.correlationId()));
    if (RETRIED.contains(response.status())) {
      response.header(
          HttpHeaders.RETRY_AFTER,
          Long.toString(Objects.requireNonNullElse(reply.retryAfterSeconds(), RETRY_SECONDS)));
    }
    return reply.body() == null
        ? response
        : response.contentType(MediaType.APPLICATION_JSON_TYPE).body(reply.body());
  }
}
