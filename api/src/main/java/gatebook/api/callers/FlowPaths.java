package gatebook.api.callers;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.flow.FlowExchange;
import gatebook.api.flow.read.FlowMethod;
import gatebook.api.gateway.Gateway;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpCallerConnection;
import gatebook.api.http.OpenStreams;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.rules.Limit;
import gatebook.events.call.Dialect;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The paths of the task-flow protocol, and those of its existing clients. */
@Singleton
final class FlowPaths {
  static final String FLOW = "/flow";
  static final String TASKS = "/flow/tasks";
  static final String SYSTEM = "/flow/system";
  static final String METHODS = "/flow/tasks/methods";

  /** Where the id of a task is in the path of its execution. */
  private static final int ID_SEGMENT = 3;

  private static final String EXECUTE = "tasks.execute";
  private static final String TASK_NOT_FOUND = "-32001";
  private static final String INTERNAL_ERROR = "-32603";
  private static final byte[] LIST = FlowMethod.list().getBytes(UTF_8);

  private final Gateway gateway;
  private final CallersHandler handler;
  private final CurrentLimits limits;
  private final OpenStreams streams;

  FlowPaths(Gateway gateway, CallersHandler handler, CurrentLimits limits, OpenStreams streams) {
    this.gateway = gateway;
    this.handler = handler;
    this.limits = limits;
    this.streams = streams;
  }

  /** The response may be a stream, and clients that want one say so. */
  CompletableFuture<HttpResponse<?>> message(HttpRequest<?> request) {
    return handler.serve(
        Dialect.FLOW,
        request,
        _ ->
            new FlowExchange(
                streams,
                HttpCallerConnection.of(request),
                Duration.ofSeconds(limits.now().get(Limit.TREE_STREAM_SECONDS_MAX))));
  }

  /**
   * Executes the task of a path, as an existing client asks for it: it gets the result alone, and a
   * status that tells an error. The body is ignored.
   */
  CompletableFuture<HttpResponse<?>> execute(HttpRequest<?> request) {
    String id = URLDecoder.decode(request.getPath().split("/", -1)[ID_SEGMENT], UTF_8);
    String params = "{\"task_id\":%s}".formatted(JsonStrings.quoted(id));
    return handler
        .answer(
            Dialect.FLOW,
            request,
            requestBody ->
                requestBody.fault() == null
                    ? new RpcMessage.Request("1", EXECUTE, params)
                    : new RpcMessage.Unreadable(requestBody.fault(), null))
        .thenApply(FlowPaths::plain);
  }

  private static HttpResponse<?> plain(HttpResponse<?> response) {
    if (response.status() != HttpStatus.OK
        || !(response instanceof MutableHttpResponse<?> mutable)
        || !(response.body() instanceof byte[] body)) {
      return response;
    }
    ObjectMembers members = ObjectMembers.of(new String(body, UTF_8));
    Optional<String> result = members.json("result");
    return result.isPresent()
        ? mutable.body(result.get().getBytes(UTF_8))
        : mutable.status(status(members.members("error")));
  }

  private static HttpStatus status(ObjectMembers error) {
    return switch (error.json("code").orElse("")) {
      case TASK_NOT_FOUND -> HttpStatus.NOT_FOUND;
      case INTERNAL_ERROR -> HttpStatus.INTERNAL_SERVER_ERROR;
      default -> HttpStatus.BAD_REQUEST;
    };
  }

  /** The list of methods, which existing clients read. */
  CompletableFuture<HttpResponse<?>> methods(HttpRequest<?> request) {
    return CompletableFuture.completedFuture(list(request));
  }

  private HttpResponse<?> list(HttpRequest<?> request) {
    return gateway.principal(handler.caller(request)).isPresent()
        ? HttpResponse.ok(LIST).contentType(MediaType.APPLICATION_JSON_TYPE)
        : handler.unknown(request);
  }
}
