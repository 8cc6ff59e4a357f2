package gatebook.api.callers;

import gatebook.api.a2a.message.A2aEndpoint;
import gatebook.api.a2a.message.A2aExchange;
import gatebook.api.dialect.A2aProfile;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.gateway.Gateway;
import gatebook.api.http.CallersPaths;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpCallerConnection;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.OpenStreams;
import gatebook.api.http.PathMethods;
import gatebook.command.rules.Limit;
import gatebook.events.call.Dialect;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** The table of the callers' paths. Messages come by {@code POST}, at each path in one dialect. */
@Singleton
@Requires(beans = Gateway.class)
final class DialectPaths implements CallersPaths {

  private static final String RPC = "/rpc";

  private static final String SEGMENT = "[^/?#{&;+]+";
  private static final String ENDPOINT = "/a2a(/" + SEGMENT + "(/v[0-9.]+)?)?";
  private static final Pattern AGENT = Pattern.compile(ENDPOINT);
  private static final Pattern CARD =
      Pattern.compile("(" + ENDPOINT + ")?/[.]well-known/agent(-card)?[.]json");
  private static final Pattern EXECUTION =
      Pattern.compile(FlowPaths.TASKS + "/" + SEGMENT + "/execute");
  private static final Pattern COSIGNED = Pattern.compile(WitnessPaths.NEWEST);

  private final CallersHandler handler;
  private final HttpErrors errors;
  private final CurrentLimits limits;
  private final OpenStreams streams;
  private final Map<String, PathMethods> byPath;
  private final PathMethods agent;
  private final PathMethods card;
  private final PathMethods execution;
  private final PathMethods cosigned;

  DialectPaths(
      CallersHandler handler,
      HttpErrors errors,
      CurrentLimits limits,
      OpenStreams streams,
      McpPath mcpPath,
      FlowPaths flowPaths,
      AgentCardPaths agentCardPaths,
      CallerTokens tokens,
      ProtectedResource protectedResource,
      WitnessPaths witnessPaths) {
    this.handler = handler;
    this.errors = errors;
    this.limits = limits;
    this.streams = streams;
    PathMethods mcp =
        new PathMethods(
            Map.of(
                HttpMethod.POST, tokens.verifying(mcpPath::message),
                HttpMethod.GET, tokens.verifying(mcpPath::listen),
                HttpMethod.DELETE, tokens.verifying(mcpPath::end)),
            false);
    PathMethods flow =
        new PathMethods(Map.of(HttpMethod.POST, tokens.verifying(flowPaths::message)), false);
    PathMethods metadata =
        new PathMethods(Map.of(HttpMethod.GET, protectedResource::metadata), false);
    this.byPath =
        Map.ofEntries(
            Map.entry(McpPath.MCP, mcp),
            Map.entry(McpPath.MCP_V1, mcp),
            Map.entry(ProtectedResource.METADATA, metadata),
            Map.entry(ProtectedResource.METADATA_OF_MCP, metadata),
            Map.entry(
                RPC,
                new PathMethods(
                    Map.of(
                        HttpMethod.POST,
                        tokens.verifying(request -> handler.answer(Dialect.DAEMON, request))),
                    true)),
            Map.entry(FlowPaths.FLOW, flow),
            Map.entry(FlowPaths.TASKS, flow),
            Map.entry(FlowPaths.SYSTEM, flow),
            Map.entry(
                FlowPaths.METHODS,
                new PathMethods(
                    Map.of(HttpMethod.GET, tokens.verifying(flowPaths::methods)), true)),
            Map.entry(
                WitnessPaths.ADD,
                new PathMethods(Map.of(HttpMethod.POST, witnessPaths::add), false)));
    this.agent = new PathMethods(Map.of(HttpMethod.POST, tokens.verifying(this::a2a)), false);
    this.card = new PathMethods(Map.of(HttpMethod.GET, agentCardPaths::card), false);
    this.execution =
        new PathMethods(Map.of(HttpMethod.POST, tokens.verifying(flowPaths::execute)), true);
    this.cosigned = new PathMethods(Map.of(HttpMethod.GET, witnessPaths::newest), false);
  }

  @Override
  public Optional<PathMethods> find(HttpRequest<?> request) {
    String path = withoutSlash(request.getPath());
    PathMethods known = byPath.get(path);
    return known == null ? matching(path) : Optional.of(known);
  }

  /** A slash at the end of a path makes no difference. */
  private static String withoutSlash(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  private Optional<PathMethods> matching(String path) {
    if (AGENT.matcher(path).matches()) {
      return Optional.of(agent);
    }
    if (EXECUTION.matcher(path).matches()) {
      return Optional.of(execution);
    }
    if (COSIGNED.matcher(path).matches()) {
      return Optional.of(cosigned);
    }
    return CARD.matcher(path).matches() ? Optional.of(card) : Optional.empty();
  }

  private CompletableFuture<HttpResponse<?>> a2a(HttpRequest<?> request) {
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

  /** Where a message was sent, the response is one of its dialect. */
  @Override
  public CompletableFuture<HttpResponse<?>> fail(HttpRequest<?> request, Throwable failure) {
    return dialectOf(request)
        .map(dialect -> handler.fail(dialect, request, failure))
        .orElseGet(() -> CompletableFuture.completedFuture(errors.unforeseen(request, failure)));
  }

  private static Optional<Dialect> dialectOf(HttpRequest<?> request) {
    return request.getMethod() != HttpMethod.POST
        ? Optional.empty()
        : switch (withoutSlash(request.getPath())) {
          case McpPath.MCP, McpPath.MCP_V1 -> Optional.of(Dialect.MCP);
          case RPC -> Optional.of(Dialect.DAEMON);
          case FlowPaths.FLOW, FlowPaths.TASKS, FlowPaths.SYSTEM -> Optional.of(Dialect.FLOW);
          case String path when path.startsWith(FlowPaths.TASKS + "/") -> Optional.of(Dialect.FLOW);
          case String path when A2aEndpoint.isAt(path) -> Optional.of(Dialect.A2A);
          default -> Optional.empty();
        };
  }
}
