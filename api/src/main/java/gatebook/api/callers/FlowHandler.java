package gatebook.api.callers;

import gatebook.api.flow.FlowExchange;
import gatebook.api.gateway.Reply;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpCallerConnection;
import gatebook.api.http.LongLived;
import gatebook.api.http.OpenStreams;
import gatebook.api.http.SsePublisher;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.call.Dialect;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Handles requests of clients of the task-flow protocol: passes each to the gateway, and its reply
 * back, which may be the beginning of a stream.
 */
@Singleton
final class FlowHandler implements LongLived {

  /** Exactly what existing clients compare with. */
  private static final String EVENTS = "text/event-stream; charset=utf-8";

  private final CallersHandler callersHandler;
  private final CurrentLimits limits;
  private final OpenStreams streams = new OpenStreams("flow-streams");

  FlowHandler(CallersHandler callersHandler, CurrentLimits limits) {
    this.callersHandler = callersHandler;
    this.limits = limits;
  }

  /** Answers a request; the future never fails. */
  CompletableFuture<HttpResponse<?>> serve(HttpRequest<?> request) {
    FlowExchange flowExchange = exchange(request, limits.now());
    return callersHandler
        .reply(Dialect.FLOW, request, flowExchange)
        .thenApply(reply -> response(flowExchange, reply));
  }

  private FlowExchange exchange(HttpRequest<?> request, GatewayLimits now) {
    return new FlowExchange(
        new FlowExchange.FlowClient(
            HttpCallerConnection.of(request),
            () ->
                new SsePublisher(
                    FlowExchange.KIND,
                    streams.timer(),
                    now.streamStalledMillisMax(),
                    () -> HttpCallerConnection.closeConnection(request)),
            Duration.ofSeconds(now.treeStreamSecondsMax()),
            streams));
  }

  private static HttpResponse<?> response(FlowExchange flowExchange, Reply reply) {
    Optional<SsePublisher> stream = flowExchange.open(reply.body());
    return stream.isPresent()
        ? McpHandler.stream(stream.get(), reply.correlationId()).contentType(EVENTS)
        : CallersHandler.response(reply);
  }

  @Override
  public void endStreams() {
    streams.close();
  }
}
