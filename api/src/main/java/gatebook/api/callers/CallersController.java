package gatebook.api.callers;

import gatebook.api.a2a.message.A2aEndpoint;
import gatebook.api.a2a.message.A2aExchange;
import gatebook.api.dialect.A2aProfile;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpCallerConnection;
import gatebook.api.http.OnPort;
import gatebook.api.http.OpenStreams;
import gatebook.api.http.Port;
import gatebook.command.rules.Limit;
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

/** Controller of the callers' paths of the daemon and of A2A; each path has one dialect. */
@OnPort(Port.CALLERS)
@Controller
@Consumes(MediaType.ALL)
final class CallersController {

  private static final String RPC = "/rpc";

  private final CallersHandler handler;
  private final CurrentLimits limits;
  private final OpenStreams streams;

  CallersController(CallersHandler handler, CurrentLimits limits, OpenStreams streams) {
    this.handler = handler;
    this.limits = limits;
    this.streams = streams;
  }

  /** The dialect of a request's path; empty when it is not a callers' path. */
  static Optional<Dialect> dialectOf(HttpRequest<?> request) {
    return request.getMethod() != HttpMethod.POST
        ? Optional.empty()
        : switch (request.getPath()) {
          case McpController.MCP, McpController.MCP_V1 -> Optional.of(Dialect.MCP);
          case RPC -> Optional.of(Dialect.DAEMON);
          case FlowController.FLOW, FlowController.TASKS, FlowController.SYSTEM ->
              Optional.of(Dialect.FLOW);
          case String path when path.startsWith(FlowController.TASKS + "/") ->
              Optional.of(Dialect.FLOW);
          case String path when A2aEndpoint.isAt(path) -> Optional.of(Dialect.A2A);
          default -> Optional.empty();
        };
  }

  @Post(RPC)
  CompletableFuture<HttpResponse<?>> rpc(HttpRequest<?> request) {
    return handler.answer(Dialect.DAEMON, request);
  }

  /** What the variables are is read from the path. */
  @Post(uris = {"/a2a", "/a2a/{one}", "/a2a/{one}/{two:v[0-9.]+}"})
  @Produces(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> a2a(
      HttpRequest<?> request,
      @Nullable @PathVariable String one,
      @Nullable @PathVariable String two) {
    return handler.serve(
        Dialect.A2A,
        request,
        message ->
            new A2aExchange(
                streams,
                HttpCallerConnection.of(request),
                message,
                limits.now().get(Limit.AGENT_STREAM_KEEP_ALIVE_MILLIS),
                readsErrorsInStreams(request)));
  }

  /** Clients of 0.3 read an answer to a stream's request only as a stream. */
  private static boolean readsErrorsInStreams(HttpRequest<?> request) {
    return A2aProfile.recorded(DeclaredVersion.version(Dialect.A2A, request))
        .spoken()
        .filter(A2aVersion.V0_3::equals)
        .isPresent();
  }
}
