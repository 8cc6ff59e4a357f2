package gatebook.api.callers;

import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.Reply;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpCallerConnection;
import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.LongLived;
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
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Malformed.EnvelopeDefect;
import gatebook.events.fault.Malformed.InvalidRequest;
import gatebook.events.fault.Malformed.UnknownSession;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles requests of MCP clients: passes each message to the gateway, and its reply back. A client
 * that initializes has a session from then on; a session is optional.
 */
@Singleton
final class McpHandler implements LongLived {

  private static final String SESSION = "Mcp-Session-Id";
  private static final String EVENTS = "text/event-stream";

  private final Gateway gateway;
  private final CallersHandler callersHandler;
  private final HttpErrors errors;
  private final CurrentLimits limits;
  private final McpSessions mcpSessions;

  McpHandler(
      Gateway gateway, CallersHandler callersHandler, HttpErrors errors, CurrentLimits limits) {
    this.gateway = gateway;
    this.callersHandler = callersHandler;
    this.errors = errors;
    this.limits = limits;
    this.mcpSessions = new McpSessions(limits::now);
  }

  /** Answers a message; the future never fails. */
  CompletableFuture<HttpResponse<?>> serve(HttpRequest<?> request) {
    GatewayLimits now = limits.now();
    return CompletableFuture.completedFuture(request)
        .thenCompose(whole -> RequestBody.of(whole, now.get(Limit.BODY_BYTES_MAX)))
        .thenCompose(requestBody ->
            requestBody.isOverload()
                ? CompletableFuture.completedFuture(
                    CallersHandler.response(callersHandler.overload(Dialect.MCP, request)))
                : serve(request, requestBody, now))
        .exceptionallyCompose(failure -> callersHandler.fail(Dialect.MCP, request, failure));
  }

  private CompletableFuture<HttpResponse<?>> serve(
      HttpRequest<?> request, RequestBody requestBody, GatewayLimits now) {
    RpcMessage rpcMessage = CallersHandler.message(requestBody, now);
    String id = stateless(request) ? null : request.getHeaders().get(SESSION);
    boolean initializes = id == null && isInitialize(rpcMessage);
    Optional<String> principal =
        id != null || initializes
            ? gateway.principal(CallersHandler.caller(request))
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
            new RpcMessage.Unreadable(new UnknownSession(), id(rpcMessage)),
            null)
        : inSession(request, requestBody, rpcMessage, session.get(), now);
  }

  private static boolean isInitialize(RpcMessage rpcMessage) {
    return rpcMessage instanceof RpcMessage.Request(_, var method, _, _)
        && method.equals(McpMethod.INITIALIZE);
  }

  private CompletableFuture<HttpResponse<?>> inSession(
      HttpRequest<?> request,
      RequestBody requestBody,
      RpcMessage rpcMessage,
      McpSession mcpSession,
      GatewayLimits now) {
    if (rpcMessage instanceof RpcMessage.Unreadable(InvalidRequest(var defect, _), _)
        && defect == EnvelopeDefect.METHOD_MISSING) {
      Optional<ClientReply> reply =
          ClientReply.of(requestBody.bytes(), now.getInt(Limit.DEPTH_MAX));
      Optional<SourceRequest> question = reply.flatMap(it -> mcpSession.takeRequest(text(it.id())));
      if (question.isPresent()) {
        return reply(request, reply.orElseThrow(), question.get());
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
      HttpRequest<?> request, ClientReply reply, SourceRequest sourceRequest) {
    return gateway
        .recordReply(
            sourceRequest.callId(),
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
    CallerConnection connection = HttpCallerConnection.of(request);
    McpExchange mcpExchange =
        new McpExchange(
            new McpExchange.Sender(
                mcpSession,
                accepts(request, EVENTS),
                connection,
                publisherOf(request),
                gateway::messageRecorder,
                mcpSessions.timer()),
            rpcMessage instanceof RpcMessage.Request message ? message.id() : null);
    Gateway.PendingReply pendingReply =
        gateway.start(
            Dialect.MCP,
            callersHandler.incoming(Dialect.MCP, request, requestBody, rpcMessage, mcpExchange));
    CompletableFuture<HttpResponse<?>> whole =
        pendingReply.reply().thenApply(reply -> response(mcpExchange, mcpSession, reply));
    CompletableFuture<HttpResponse<?>> stream =
        mcpExchange
            .streaming()
            .thenApply(ssePublisher -> stream(ssePublisher, pendingReply.correlationId()));
    return whole.applyToEither(stream, response -> response);
  }

  /** The response, which is not used when the stream carried it. */
  private HttpResponse<?> response(
      McpExchange mcpExchange, @Nullable McpSession mcpSession, Reply reply) {
    MutableHttpResponse<?> response = CallersHandler.response(reply);
    if (mcpSession != null && mcpExchange.hasStartedSession()) {
      mcpSessions.add(mcpSession);
      response.header(SESSION, mcpSession.id());
    }
    mcpExchange.answer(reply.body());
    return response;
  }

  static MutableHttpResponse<?> stream(SsePublisher ssePublisher, String correlationId) {
    return events(ssePublisher).header(CallersHandler.CORRELATION, correlationId);
  }

  private static MutableHttpResponse<?> events(SsePublisher ssePublisher) {
    return HttpResponse.ok(ssePublisher)
        .contentType(MediaType.TEXT_EVENT_STREAM_TYPE)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .header("X-Accel-Buffering", "no");
  }

  private Supplier<SsePublisher> publisherOf(HttpRequest<?> request) {
    return () ->
        new SsePublisher(
            mcpSessions.timer(),
            limits.now().get(Limit.STREAM_STALLED_MILLIS_MAX),
            () -> HttpCallerConnection.closeConnection(request));
  }

  /** Opens a stream for messages that belong to no call, or resumes one that was cut. */
  HttpResponse<?> listen(HttpRequest<?> request) {
    return inSession(
        request,
        mcpSession -> {
          if (!accepts(request, EVENTS)) {
            return errors.response(request, HttpError.NOT_ACCEPTABLE);
          }
          SsePublisher ssePublisher = publisherOf(request).get();
          ssePublisher.sendHead();
          if (!mcpSession.attachReader(ssePublisher, request.getHeaders().get("Last-Event-ID"))) {
            ssePublisher.cancel();
            return HttpResponse.noContent(); // in server-sent events: do not reconnect
          }
          HttpCallerConnection.of(request)
              .onDisconnect(_ -> {
                mcpSession.detachReader(ssePublisher);
                ssePublisher.cancel();
              });
          return events(ssePublisher);
        });
  }

  /** Ends a session. */
  HttpResponse<?> end(HttpRequest<?> request) {
    return inSession(
        request,
        mcpSession -> {
          mcpSessions.end(mcpSession);
          return HttpResponse.ok();
        });
  }

  @FunctionalInterface
  private interface InSession {
    HttpResponse<?> answer(McpSession mcpSession);
  }

  private HttpResponse<?> inSession(HttpRequest<?> request, InSession answer) {
    String id = request.getHeaders().get(SESSION);
    String version = DeclaredVersion.version(Dialect.MCP, request);
    if (version != null && !McpRevisions.isSupported(version)) {
      return errors.response(request, HttpError.BAD_REQUEST);
    }
    if (id == null || stateless(request)) {
      return errors
          .response(request, HttpError.METHOD_NOT_ALLOWED)
          .header(HttpHeaders.ALLOW, "POST");
    }
    Optional<String> principal = gateway.principal(CallersHandler.caller(request));
    if (principal.isEmpty()) {
      return errors
          .response(request, HttpError.TOKEN_UNKNOWN)
          .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }
    Optional<McpSession> session = mcpSessions.find(id, principal.get());
    return session.isPresent()
        ? answer.answer(session.get())
        : errors.response(request, HttpError.UNKNOWN_SESSION);
  }

  private static boolean stateless(HttpRequest<?> request) {
    return McpRevisions.isStateless(DeclaredVersion.version(Dialect.MCP, request));
  }

  private static @Nullable String id(RpcMessage rpcMessage) {
    return switch (rpcMessage) {
      case RpcMessage.Request request -> request.id();
      case RpcMessage.Notification _ -> null;
      case RpcMessage.Unreadable unreadable -> unreadable.id();
    };
  }

  private static boolean accepts(HttpRequest<?> request, String type) {
    return request.getHeaders().getAll(HttpHeaders.ACCEPT).stream()
        .anyMatch(header -> header.toLowerCase(Locale.ROOT).contains(type));
  }

  @Override
  public void endStreams() {
    mcpSessions.close();
  }
}
