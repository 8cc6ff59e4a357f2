package gatebook.api.callers;

import gatebook.api.a2a.message.A2aEndpoint;
import gatebook.api.http.OnPort;
import gatebook.api.http.Port;
import gatebook.events.call.Dialect;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Controller of the callers' paths with one response for each request; each path has one dialect.
 */
@OnPort(Port.CALLERS)
@Controller
@Consumes(MediaType.ALL)
final class CallersController {

  private static final String RPC = "/rpc";
  static final String FLOW = "/flow";
  private static final String FLOW_TASKS = "/flow/tasks";
  private static final String FLOW_SYSTEM = "/flow/system";

  private final CallersHandler handler;
  private final FlowHandler flowHandler;
  private final A2aHandler a2aHandler;

  CallersController(CallersHandler handler, FlowHandler flowHandler, A2aHandler a2aHandler) {
    this.handler = handler;
    this.flowHandler = flowHandler;
    this.a2aHandler = a2aHandler;
  }

  /** The dialect of a request's path; empty when it is not a callers' path. */
  static Optional<Dialect> dialectOf(HttpRequest<?> request) {
    return request.getMethod() != HttpMethod.POST
        ? Optional.empty()
        : switch (request.getPath()) {
          case McpController.MCP, McpController.MCP_V1 -> Optional.of(Dialect.MCP);
          case RPC -> Optional.of(Dialect.DAEMON);
          case FLOW, FLOW_TASKS, FLOW_SYSTEM -> Optional.of(Dialect.FLOW);
          case String path when path.startsWith(FLOW_TASKS + "/") -> Optional.of(Dialect.FLOW);
          case String path when A2aEndpoint.isAt(path) -> Optional.of(Dialect.A2A);
          default -> Optional.empty();
        };
  }

  @Post(RPC)
  CompletableFuture<HttpResponse<?>> rpc(HttpRequest<?> request) {
    return handler.serve(Dialect.DAEMON, request);
  }

  /** The response may be a stream, and clients that want one say so. */
  @Post(uris = {FLOW, FLOW_TASKS, FLOW_SYSTEM})
  @Produces(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> flow(HttpRequest<?> request) {
    return flowHandler.serve(request);
  }

  @Post("/flow/tasks/{id}/execute")
  CompletableFuture<HttpResponse<?>> execute(HttpRequest<?> request, @PathVariable String id) {
    return flowHandler.execute(request, id);
  }

  /** What the variables are is read from the path. */
  @Post(uris = {"/a2a", "/a2a/{one}", "/a2a/{one}/{two:v[0-9.]+}"})
  @Produces(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> a2a(
      HttpRequest<?> request,
      @Nullable @PathVariable String one,
      @Nullable @PathVariable String two) {
    return a2aHandler.serve(request);
  }
}
