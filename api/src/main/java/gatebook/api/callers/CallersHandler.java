package gatebook.api.callers;

import gatebook.api.a2a.message.A2aEndpoint;
import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.Gateway.PendingReply;
import gatebook.api.gateway.message.Caller;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.IncomingMessage;
import gatebook.api.gateway.message.Reply;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpCallerConnection;
import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.RequestBody;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
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
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Handles callers' requests in any dialect: passes each to the gateway, and its reply back. The
 * futures never fail: a failure here becomes an error response in the caller's dialect, and is
 * recorded, like any other fault.
 */
@Singleton
final class CallersHandler {

  static final String CORRELATION = HttpErrors.CORRELATION;
  private static final String TRACEPARENT = "traceparent";

  /** The statuses after which clients retry by themselves. */
  private static final Set<HttpStatus> RETRIED =
      Set.of(HttpStatus.TOO_MANY_REQUESTS, HttpStatus.SERVICE_UNAVAILABLE);

  /** The time after which a retry is suggested when it is unknown when one may succeed. */
  private static final long RETRY_SECONDS = 1;

  private final Gateway gateway;
  private final CurrentLimits limits;
  private final HttpErrors errors;

  CallersHandler(Gateway gateway, CurrentLimits limits, HttpErrors errors) {
    this.gateway = gateway;
    this.limits = limits;
    this.errors = errors;
  }

  CompletableFuture<HttpResponse<?>> serve(Dialect dialect, HttpRequest<?> request) {
    return reply(dialect, request, ClientChannel.NONE).thenApply(CallersHandler::response);
  }

  /** The reply to a request that is part of this channel. */
  CompletableFuture<Reply> reply(
      Dialect dialect, HttpRequest<?> request, ClientChannel clientChannel) {
    return start(dialect, request, clientChannel).thenCompose(PendingReply::reply);
  }

  /** The reply to a request that its path describes in full; its body is ignored. */
  CompletableFuture<Reply> reply(
      Dialect dialect, HttpRequest<?> request, RpcMessage.Request message) {
    return start(
            dialect,
            request,
            ClientChannel.NONE,
            body -> body.fault() == null ? message : new RpcMessage.Unreadable(body.fault(), null))
        .thenCompose(PendingReply::reply);
  }

  /** Starts to serve a request that is part of this channel. */
  CompletableFuture<PendingReply> start(
      Dialect dialect, HttpRequest<?> request, ClientChannel clientChannel) {
    GatewayLimits now = limits.now();
    return start(dialect, request, clientChannel, body -> message(body, now));
  }

  private CompletableFuture<PendingReply> start(
      Dialect dialect,
      HttpRequest<?> request,
      ClientChannel clientChannel,
      Function<RequestBody, RpcMessage> reader) {
    return CompletableFuture.completedFuture(request)
        .thenCompose(whole -> RequestBody.of(whole, limits.now().get(Limit.BODY_BYTES_MAX)))
        .thenCompose(requestBody ->
            requestBody.isOverload()
                ? CompletableFuture.completedFuture(ended(overload(dialect, request)))
                : start(
                    dialect,
                    incoming(
                        dialect, request, requestBody, reader.apply(requestBody), clientChannel)))
        .exceptionallyCompose(
            failure -> failed(dialect, request, failure).thenApply(CallersHandler::ended));
  }

  /** The reply to a message for which there is no memory: an error of HTTP, which is counted. */
  Reply overload(Dialect dialect, HttpRequest<?> request) {
    gateway.countOverload(dialect, Transport.HTTP);
    MutableHttpResponse<byte[]> refusal = errors.response(request, HttpError.OVERLOADED);
    return new Reply(
        String.valueOf(refusal.header(CORRELATION)), refusal.code(), refusal.body(), RETRY_SECONDS);
  }

  private CompletableFuture<PendingReply> start(Dialect dialect, IncomingMessage incomingMessage) {
    return DialectStrictness.refusal(
            dialect, incomingMessage.dialectVersion(), incomingMessage.message())
        .map(fault ->
            gateway.refused(dialect, incomingMessage, fault).thenApply(CallersHandler::ended))
        .orElseGet(
            () -> CompletableFuture.completedFuture(gateway.start(dialect, incomingMessage)));
  }

  private static PendingReply ended(Reply reply) {
    return new PendingReply(reply.correlationId(), CompletableFuture.completedFuture(reply));
  }

  /** The response to a request that failed before it came here. */
  CompletableFuture<HttpResponse<?>> fail(
      Dialect dialect, HttpRequest<?> request, Throwable failure) {
    return failed(dialect, request, failure).thenApply(CallersHandler::response);
  }

  private CompletableFuture<Reply> failed(
      Dialect dialect, HttpRequest<?> request, Throwable failure) {
    return gateway.failed(
        dialect,
        failure,
        Transport.HTTP,
        caller(request),
        request.getHeaders().get(CORRELATION),
        DeclaredVersion.version(dialect, request));
  }

  static RpcMessage message(RequestBody requestBody, GatewayLimits gatewayLimits) {
    return requestBody.fault() == null
        ? new MessageReader(gatewayLimits.getInt(Limit.DEPTH_MAX)).read(requestBody.bytes())
        : new RpcMessage.Unreadable(requestBody.fault(), null);
  }

  IncomingMessage incoming(
      Dialect dialect,
      HttpRequest<?> request,
      RequestBody requestBody,
      RpcMessage rpcMessage,
      ClientChannel clientChannel) {
    HttpHeaders headers = request.getHeaders();
    String version = DeclaredVersion.version(dialect, request);
    if (rpcMessage instanceof RpcMessage.Request call) {
      clientChannel.onRequest(call);
    }
    return new IncomingMessage(
        DialectStrictness.check(dialect, rpcMessage),
        requestBody.sizeBytes(),
        Transport.HTTP,
        caller(request, clientChannel),
        headers.get(CORRELATION),
        single(headers.getAll(TRACEPARENT)),
        version,
        clientChannel,
        joined(headers),
        dialect == Dialect.A2A ? A2aEndpoint.at(request.getPath()).agent() : null,
        requestBody.memory());
  }

  private static @Nullable String single(List<String> values) {
    return values.size() == 1 ? values.getFirst() : null;
  }

  /** A header that came in several lines is joined to one list. */
  private static Map<String, String> joined(HttpHeaders headers) {
    Map<String, String> joined = new HashMap<>();
    for (String name : headers.names()) {
      joined.put(name.toLowerCase(Locale.ROOT), String.join(",", headers.getAll(name)));
    }
    return joined;
  }

  static Caller caller(HttpRequest<?> request) {
    return caller(request, ClientChannel.NONE);
  }

  /** A channel that is a caller's connection itself knows better when the caller is gone. */
  private static Caller caller(HttpRequest<?> request, ClientChannel clientChannel) {
    return new Caller(
        request.getHeaders().getAll(HttpHeaders.AUTHORIZATION),
        request.getRemoteAddress().getAddress().isLoopbackAddress(),
        clientChannel instanceof CallerConnection callerConnection
            ? callerConnection
            : HttpCallerConnection.of(request));
  }

  static MutableHttpResponse<?> response(Reply reply) {
    MutableHttpResponse<byte[]> response =
        HttpResponse.<byte[]>status(HttpStatus.valueOf(reply.httpStatus()))
            .header(CORRELATION, reply.correlationId());
    if (response.status() == HttpStatus.UNAUTHORIZED) {
      response.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }
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
