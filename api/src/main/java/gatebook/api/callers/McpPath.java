package gatebook.api.callers;

import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpCallerConnection;
import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.LongLived;
import gatebook.api.http.OpenStreams;
import gatebook.api.http.RequestBody;
import gatebook.api.http.SsePublisher;
import gatebook.api.mcp.McpExchange;
import gatebook.api.mcp.McpSession;
import gatebook.api.mcp.McpSession.SourceRequest;
import gatebook.api.mcp.McpSessions;
import gatebook.api.rpc.ClientReply;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.command.rules.Limit;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Malformed.EnvelopeDefect;
import gatebook.events.fault.Malformed.InvalidRequest;
import gatebook.events.fault.Malformed.UnknownSession;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The MCP path: receives messages, opens streams, and ends sessions. A client that initializes has
 * a session from then on; a session is optional.
 */
@Singleton
final class McpPath implements LongLived {

  static final String MCP = "/mcp";
  static final String MCP_V1 = "/mcp/v1";

  private final Gateway gateway;
  private final CallersHandler callersHandler;
  private final HttpErrors errors;
  private final CurrentLimits limits;
  private final OpenStreams streams;
  private final McpSessions mcpSessions;

  McpPath(
      Gateway gateway,
      CallersHandler callersHandler,
      HttpErrors errors,
      CurrentLimits limits,
      OpenStreams streams) {
    this.gateway = gateway;
    this.callersHandler = callersHandler;
    this.errors = errors;
    this.limits = limits;
    this.streams = streams;
    this.mcpSessions = new McpSessions(limits::now, gateway::messageRecorder, streams.timer());
  }

  /** Answers a message. */
  CompletableFuture<HttpResponse<?>> message(HttpRequest<?> request) {
    return callersHandler.read(Dialect.MCP, request, requestBody -> serve(request, requestBody));
  }

  private CompletableFuture<HttpResponse<?>> serve(
      HttpRequest<?> request, RequestBody requestBody) {
    RpcMessage rpcMessage = callersHandler.message(requestBody);
    String id = stateless(request) ? null : request.getHeaders().get(McpSession.HEADER);
    boolean initializes = id == null && isInitialize(rpcMessage);
    Optional<String> principal =
        id != null || initializes
            ? gateway.principal(callersHandler.caller(request))
            : Optional.empty();
    if (principal.isEmpty()) {
      return serve(request, requestBody, rpcMessage, null);
    }
    if (initializes) {
      McpSession mcpSession = mcpSessions.hasRoom() ? mcpSessions.create(principal.get()) : null;
      return serve(request, requestBody, rpcMessage, mcpSession);
    }
    Optional<McpSession> session =
        Optional.ofNullable(id).flatMap(it -> mcpSessions.find(it, principal.get()));
    return session.isEmpty()
        ? serve(
            request,
            requestBody,
            new RpcMessage.Unreadable(new UnknownSession(), rpcMessage.id()),
            null)
        : inSession(request, requestBody, rpcMessage, session.get());
  }

  private static boolean isInitialize(RpcMessage rpcMessage) {
    return rpcMessage instanceof RpcMessage.Request(_, var method, _, _)
        && method.equals(McpMethod.INITIALIZE);
  }

  private CompletableFuture<HttpResponse<?>> inSession(
      HttpRequest<?> request,
      RequestBody requestBody,
      RpcMessage rpcMessage,
      McpSession mcpSession) {
    if (rpcMessage instanceof RpcMessage.Unreadable(InvalidRequest(var defect, _), _)
        && defect == EnvelopeDefect.METHOD_MISSING) {
      Optional<ClientReply> reply =
          ClientReply.of(requestBody.bytes(), limits.now().getInt(Limit.DEPTH_MAX));
      Optional<SourceRequest> question = reply.flatMap(it -> mcpSession.takeRequest(text(it.id())));
      if (question.isPresent()) {
        return reply(request, mcpSession, reply.orElseThrow(), question.get());
      }
    }
    return serve(request, requestBody, rpcMessage, mcpSession);
  }

  /** The id without quotes; the gateway's request ids are texts. */
  private static String text(String token) {
    return token.length() > 1 && token.startsWith("\"")
        ? token.substring(1, token.length() - 1)
        : "";
  }

  /** Sends a client's reply to the source when it is recorded. */
  private CompletableFuture<HttpResponse<?>> reply(
      HttpRequest<?> request,
      McpSession mcpSession,
      ClientReply reply,
      SourceRequest sourceRequest) {
    return gateway
        .recordReply(
            sourceRequest.callId(),
            mcpSession.principal(),
            sourceRequest.source(),
            text(reply.id()),
            reply.isError(),
            reply.content())
        .thenApply(recorded -> {
          if (!recorded) {
            return errors.response(request, HttpError.NOT_RECORDED);
          }
          CompletableFuture<?> _ = sourceRequest.session().reply(reply.withId(sourceRequest.id()));
          return HttpResponse.accepted();
        });
  }

  private CompletableFuture<HttpResponse<?>> serve(
      HttpRequest<?> request,
      RequestBody requestBody,
      RpcMessage rpcMessage,
      @Nullable McpSession mcpSession) {
    return callersHandler.serve(
        Dialect.MCP,
        request,
        requestBody,
        rpcMessage,
        new McpExchange(
            streams,
            HttpCallerConnection.of(request),
            rpcMessage,
            acceptsEvents(request),
            mcpSessions,
            mcpSession));
  }

  /** Opens a stream for messages that belong to no call, or resumes one that was cut. */
  CompletableFuture<HttpResponse<?>> listen(HttpRequest<?> request) {
    return answered(
        request,
        mcpSession -> {
          if (!acceptsEvents(request)) {
            return errors.response(request, HttpError.NOT_ACCEPTABLE);
          }
          CallerConnection connection = HttpCallerConnection.of(request);
          SsePublisher ssePublisher = streams.publisher(McpExchange.KIND, connection);
          ssePublisher.sendHead();
          if (!mcpSession.attachReader(ssePublisher, request.getHeaders().get("Last-Event-ID"))) {
            ssePublisher.cancel();
            return HttpResponse.noContent(); // in server-sent events: do not reconnect
          }
          connection.onDisconnect(_ -> {
            mcpSession.detachReader(ssePublisher);
            ssePublisher.cancel();
          });
          return ssePublisher.response();
        });
  }

  /** Ends a session. */
  CompletableFuture<HttpResponse<?>> end(HttpRequest<?> request) {
    return answered(
        request,
        mcpSession -> {
          mcpSessions.end(mcpSession);
          return HttpResponse.ok();
        });
  }

  private CompletableFuture<HttpResponse<?>> answered(
      HttpRequest<?> request, Function<McpSession, HttpResponse<?>> answer) {
    return CompletableFuture.completedFuture(inSession(request, answer));
  }

  private HttpResponse<?> inSession(
      HttpRequest<?> request, Function<McpSession, HttpResponse<?>> answer) {
    String id = request.getHeaders().get(McpSession.HEADER);
    String version = DeclaredVersion.version(Dialect.MCP, request);
    if (version != null && !McpRevisions.isSupported(version)) {
      return errors.response(request, HttpError.BAD_REQUEST);
    }
    if (id == null || stateless(request)) {
      return errors
          .response(request, HttpError.METHOD_NOT_ALLOWED)
          .header(HttpHeaders.ALLOW, "POST");
    }
    Optional<String> principal = gateway.principal(callersHandler.caller(request));
    if (principal.isEmpty()) {
      return callersHandler.unknown(request);
    }
    Optional<McpSession> session = mcpSessions.find(id, principal.get());
    return session.isPresent()
        ? answer.apply(session.get())
        : errors.response(request, HttpError.UNKNOWN_SESSION);
  }

  private static boolean stateless(HttpRequest<?> request) {
    return McpRevisions.isStateless(DeclaredVersion.version(Dialect.MCP, request));
  }

  private static boolean acceptsEvents(HttpRequest<?> request) {
    List<String> accepted = request.getHeaders().getAll(HttpHeaders.ACCEPT);
    return !accepted.isEmpty()
        && accepted.stream()
            .anyMatch(it -> it.toLowerCase(Locale.ROOT).contains(MediaType.TEXT_EVENT_STREAM));
  }

  @Override
  public void endStreams() {
    mcpSessions.close();
  }
}
