package gatebook.api.callers;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.flow.FlowExchange;
import gatebook.api.gateway.message.Reply;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpCallerConnection;
import gatebook.api.http.LongLived;
import gatebook.api.http.OpenStreams;
import gatebook.api.http.SsePublisher;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.call.Dialect;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
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

  private static final String EXECUTE = "tasks.execute";
  private static final String TASK_NOT_FOUND = "-32001";
  private static final String INTERNAL_ERROR = "-32603";

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

  /**
   * Executes the task of a path, as an existing client asks for it: it gets the result alone, and a
   * status that tells an error.
   */
  CompletableFuture<HttpResponse<?>> execute(HttpRequest<?> request, String taskId) {
    String params = "{\"task_id\":%s}".formatted(JsonStrings.quoted(taskId));
    return callersHandler
        .reply(Dialect.FLOW, request, new RpcMessage.Request("1", EXECUTE, params))
        .thenApply(FlowHandler::plain);
  }

  private static HttpResponse<?> plain(Reply reply) {
    byte[] body = reply.body();
    if (body == null || reply.httpStatus() != HttpStatus.OK.getCode()) {
      return CallersHandler.response(reply);
    }
    ObjectMembers members = ObjectMembers.of(new String(body, UTF_8));
    Optional<String> result = members.json("result");
    return CallersHandler.response(
        result.isPresent()
            ? new Reply(
                reply.correlationId(), HttpStatus.OK.getCode(), result.get().getBytes(UTF_8))
            : new Reply(reply.correlationId(), status(members.members("error")).getCode(), body));
  }

  private static HttpStatus status(ObjectMembers error) {
    return switch (error.json("code").orElse("")) {
      case TASK_NOT_FOUND -> HttpStatus.NOT_FOUND;
      case INTERNAL_ERROR -> HttpStatus.INTERNAL_SERVER_ERROR;
      default -> HttpStatus.BAD_REQUEST;
    };
  }

  private FlowExchange exchange(HttpRequest<?> request, GatewayLimits now) {
    return new FlowExchange(
        new FlowExchange.FlowClient(
            HttpCallerConnection.of(request),
            () ->
                new SsePublisher(
                    FlowExchange.KIND,
                    streams.timer(),
                    now.get(Limit.STREAM_STALLED_MILLIS_MAX),
                    () -> HttpCallerConnection.closeConnection(request)),
            Duration.ofSeconds(now.get(Limit.TREE_STREAM_SECONDS_MAX)),
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
