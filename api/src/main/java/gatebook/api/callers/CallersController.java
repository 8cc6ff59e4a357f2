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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Where callers knock who ask and are answered: each path speaks one dialect. */
@OnPort(Port.CALLERS)
@Controller
@Consumes(MediaType.ALL)
final class CallersController {

  private static final String RPC = "/rpc";
  private static final String FLOW = "/flow";
  private static final String A2A = "/a2a";

  private final CallersHandler door;

  CallersController(CallersHandler door) {
    this.door = door;
  }

  /** The dialect in which a request is answered; none when it did not knock here. */
  static Optional<Dialect> spokenAt(HttpRequest<?> request) {
    return request.getMethod() != HttpMethod.POST
        ? Optional.empty()
        : switch (request.getPath()) {
          case McpController.MCP, McpController.MCP_V1 -> Optional.of(Dialect.MCP);
          case RPC -> Optional.of(Dialect.DAEMON);
          case FLOW -> Optional.of(Dialect.FLOW);
          case A2A -> Optional.of(Dialect.A2A);
          default -> Optional.empty();
        };
  }

  @Post(RPC)
  CompletableFuture<HttpResponse<?>> rpc(HttpRequest<?> request) {
    return door.serve(Dialect.DAEMON, request);
  }

  @Post(FLOW)
  CompletableFuture<HttpResponse<?>> flow(HttpRequest<?> request) {
    return door.serve(Dialect.FLOW, request);
  }

  @Post(A2A)
  CompletableFuture<HttpResponse<?>> a2a(HttpRequest<?> request) {
    return door.serve(Dialect.A2A, request);
  }
}
