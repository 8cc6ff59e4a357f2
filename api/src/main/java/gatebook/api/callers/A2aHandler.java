package gatebook.api.callers;

import gatebook.api.a2a.message.A2aExchange;
import gatebook.api.dialect.A2aProfile;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.gateway.Gateway.PendingReply;
import gatebook.api.gateway.message.Reply;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpCallerConnection;
import gatebook.api.http.LongLived;
import gatebook.api.http.OpenStreams;
import gatebook.api.http.SsePublisher;
import gatebook.api.http.SsePublisher.StreamKind;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.call.Dialect;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Handles requests of clients of A2A: passes each to the gateway, and its reply back, which may be
 * the beginning of a stream.
 */
@Singleton
final class A2aHandler implements LongLived {
  private final CallersHandler callersHandler;
  private final CurrentLimits limits;
  private final OpenStreams streams = new OpenStreams("a2a-streams");

  A2aHandler(CallersHandler callersHandler, CurrentLimits limits) {
    this.callersHandler = callersHandler;
    this.limits = limits;
  }

  /** Answers a request; the future never fails. */
  CompletableFuture<HttpResponse<?>> serve(HttpRequest<?> request) {
    A2aExchange exchange = exchange(request, limits.now());
    return callersHandler
        .start(Dialect.A2A, request, exchange)
        .thenCompose(pendingReply -> response(exchange, pendingReply));
  }

  /** The response begins with the reply, or with the first item that precedes it. */
  private static CompletableFuture<HttpResponse<?>> response(
      A2aExchange exchange, PendingReply pendingReply) {
    CompletableFuture<HttpResponse<?>> whole =
        pendingReply.reply().thenApply(reply -> response(exchange, reply));
    CompletableFuture<HttpResponse<?>> relayed =
        exchange
            .relaying()
            .thenApply(publisher ->
                withHeaders(exchange, McpHandler.stream(publisher, pendingReply.correlationId())));
    return whole.applyToEither(relayed, response -> response);
  }

  private A2aExchange exchange(HttpRequest<?> request, GatewayLimits now) {
    return new A2aExchange(
        new A2aExchange.A2aClient(
            HttpCallerConnection.of(request),
            () ->
                new SsePublisher(
                    kind(now),
                    streams.timer(),
                    now.get(Limit.STREAM_STALLED_MILLIS_MAX),
                    () -> HttpCallerConnection.closeConnection(request)),
            streams,
            now.get(Limit.AGENT_STREAM_KEEP_ALIVE_MILLIS),
            readsErrorsInStreams(request)));
  }

  /** Clients of 0.3 read an answer to a stream's request only as a stream. */
  private static boolean readsErrorsInStreams(HttpRequest<?> request) {
    return A2aProfile.recorded(DeclaredVersion.version(Dialect.A2A, request))
        .spoken()
        .filter(A2aVersion.V0_3::equals)
        .isPresent();
  }

  /** A task has few states, and senders of an agent's items wait until there is room for them. */
  private static StreamKind kind(GatewayLimits now) {
    return new StreamKind(
        "", Duration.ofMillis(now.get(Limit.AGENT_STREAM_KEEP_ALIVE_MILLIS)), Long.MAX_VALUE);
  }

  private static HttpResponse<?> response(A2aExchange exchange, Reply reply) {
    Optional<SsePublisher> stream =
        exchange.open(reply.body(), reply.httpStatus() == HttpStatus.OK.getCode());
    return withHeaders(
        exchange,
        stream.isPresent()
            ? McpHandler.stream(stream.get(), reply.correlationId())
            : CallersHandler.response(reply));
  }

  private static HttpResponse<?> withHeaders(
      A2aExchange exchange, MutableHttpResponse<?> response) {
    exchange.headers().forEach(response::header);
    return response;
  }

  @Override
  public void endStreams() {
    streams.close();
  }
}
