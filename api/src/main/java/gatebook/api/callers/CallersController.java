package gatebook.api.callers;

import gatebook.api.http.OnPort;
import gatebook.api.http.Port;
import gatebook.events.call.Dialect;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

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
  private static final String A2A = "/a2a";

  private final CallersHandler handler;
  private final FlowHandler flowHandler;

  CallersController(CallersHandler handler, FlowHandler flowHandler) {
    this.handler = handler;
    this.flowHandler = flowHandler;
  }

  /** The dialect of a request's path; empty when it is not a callers' path. */
  static Optional<Dialect> dialectOf(HttpRequest<?> request) {
    return request.getMethod() != HttpMethod.POST
        ? Optional.empty()
        : switch (request.getPath()) {
          case McpController.MCP, McpController.MCP_V1 -> Optional.of(Dialect.MCP);
          case RPC -> Optional.of(Dialect.DAEMON);
          case FLOW, FLOW_TASKS, FLOW_SYSTEM -> Optional.of(Dialect.FLOW);
          case A2A -> Optional.of(Dialect.A2A);
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

  @Post(A2A)
  CompletableFuture<HttpResponse<?>> a2a(HttpRequest<?> request) {
    return handler.serve(Dialect.A2A, request);
  }
}
