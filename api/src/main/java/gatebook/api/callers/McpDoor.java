package gatebook.api.callers;

import gatebook.api.border.Border;
import gatebook.api.border.Presence;
import gatebook.api.border.Reply;
import gatebook.api.http.Body;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.HttpPresence;
import gatebook.api.http.Lasting;
import gatebook.api.http.Outbox;
import gatebook.api.mcp.session.Post;
import gatebook.api.mcp.session.Session;
import gatebook.api.mcp.session.Session.Question;
import gatebook.api.mcp.session.Sessions;
import gatebook.api.rpc.Message;
import gatebook.api.rpc.Replied;
import gatebook.api.upstream.Revisions;
import gatebook.command.rules.Limits;
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
 * The way of clients of MCP to the border and back. Whoever introduces himself has a conversation
 * from then on; nobody has to.
 */
@Singleton
final class McpDoor implements Lasting {

  private static final String SESSION = "Mcp-Session-Id";
  private static final String EVENTS = "text/event-stream";
  private static final String INITIALIZE = "initialize";

  private final Border border;
  private final CallersDoor door;
  private final HttpErrors errors;
  private final CurrentLimits limits;
  private final Sessions sessions;

  McpDoor(Border border, CallersDoor door, HttpErrors errors, CurrentLimits limits) {
    this.border = border;
    this.door = door;
    this.errors = errors;
    this.limits = limits;
    this.sessions = new Sessions(limits::now);
  }

  /** Answers a message; the future never fails. */
  CompletableFuture<HttpResponse<?>> serve(HttpRequest<?> request) {
    Limits now = limits.now();
    return CompletableFuture.completedFuture(request)
        .thenCompose(whole -> Body.of(whole, now.bodyBytesMax()))
        .thenCompose(body -> serve(request, body, now))
        .exceptionallyCompose(failure -> door.fail(Dialect.MCP, request, failure));
  }

  private CompletableFuture<HttpResponse<?>> serve(HttpRequest<?> request, Body body, Limits now) {
    Message message = CallersDoor.message(body, now);
    String id = stateless(request) ? null : request.getHeaders().get(SESSION);
    boolean introduces = id == null && isIntroduction(message);
    Optional<String> principal =
        id != null || introduces ? border.principal(CallersDoor.caller(request)) : Optional.empty();
    if (principal.isEmpty()) {
      return serve(request, body, message, null);
    }
    if (introduces) {
      Session session = sessions.hasRoom() ? sessions.prepare(principal.get()) : null;
      return serve(request, body, message, session);
    }
    Optional<Session> session =
        Optional.ofNullable(id).flatMap(it -> sessions.find(it, principal.get()));
    return session.isEmpty()
        ? serve(request, body, new Message.Unreadable(new UnknownSession(), id(message)), null)
        : inSession(request, body, message, session.get(), now);
  }

  private static boolean isIntroduction(Message message) {
    return message instanceof Message.Request(_, var method, _) && method.equals(INITIALIZE);
  }

  private CompletableFuture<HttpResponse<?>> inSession(
      HttpRequest<?> request, Body body, Message message, Session session, Limits now) {
    if (message instanceof Message.Unreadable(InvalidRequest(var defect), _)
        && defect == EnvelopeDefect.METHOD_MISSING) {
      Optional<Replied> reply = Replied.of(body.bytes(), now.depthMax());
      Optional<Question> question = reply.flatMap(it -> session.answered(text(it.id())));
      if (question.isPresent()) {
        return reply(request, reply.orElseThrow(), question.get());
      }
    }
    return serve(request, body, message, session);
  }

  /** Without quotes: the questions' ids are texts of ours. */
  private static String text(String token) {
    return token.length() > 1 && token.startsWith("\"")
        ? token.substring(1, token.length() - 1)
        : "";
  }

  /** What a client answers to a source goes there when it is recorded. */
  private CompletableFuture<HttpResponse<?>> reply(
      HttpRequest<?> request, Replied reply, Question question) {
    return border
        .replied(
            question.callId(),
            question.source(),
            text(reply.id()),
            reply.isError(),
            reply.content())
        .thenApply(recorded -> {
          if (!recorded) {
            return errors.response(request, HttpError.NOT_RECORDED);
          }
          CompletableFuture<?> _ = question.leg().reply(reply.as(question.id()));
          return HttpResponse.accepted();
        });
  }

  private CompletableFuture<HttpResponse<?>> serve(
      HttpRequest<?> request, Body body, Message message, @Nullable Session session) {
    Presence connection = HttpPresence.of(request);
    Post post =
        new Post(
            new Post.Sender(
                session,
                accepts(request, EVENTS),
                connection,
                outboxes(request),
                border::aside,
                sessions.timer()),
            message instanceof Message.Request asked ? asked.id() : null);
    Border.Serving serving =
        border.begin(Dialect.MCP, door.incoming(Dialect.MCP, request, body, message, post));
    CompletableFuture<HttpResponse<?>> whole =
        serving.reply().thenApply(reply -> answered(post, session, reply));
    CompletableFuture<HttpResponse<?>> stream =
        post.streaming().thenApply(outbox -> stream(outbox, serving.correlationId()));
    return whole.applyToEither(stream, response -> response);
  }

  /** The answer, unless it went by the stream. */
  private HttpResponse<?> answered(Post post, @Nullable Session session, Reply reply) {
    MutableHttpResponse<?> response = CallersDoor.response(reply);
    if (session != null && post.begins()) {
      sessions.keep(session);
      response.header(SESSION, session.id());
    }
    post.answer(reply.body());
    return response;
  }

  private static HttpResponse<?> stream(Outbox outbox, String correlationId) {
    return events(outbox).header(CallersDoor.CORRELATION, correlationId);
  }

  private static MutableHttpResponse<?> events(Outbox outbox) {
    return HttpResponse.ok(outbox)
        .contentType(MediaType.TEXT_EVENT_STREAM_TYPE)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .header("X-Accel-Buffering", "no");
  }

  private Supplier<Outbox> outboxes(HttpRequest<?> request) {
    return () ->
        new Outbox(
            sessions.timer(),
            limits.now().streamStalledMillisMax(),
            () -> HttpPresence.hangUp(request));
  }

  /** Says what belongs to no call, or goes on with what was cut. */
  HttpResponse<?> listen(HttpRequest<?> request) {
    return inSession(
        request,
        session -> {
          if (!accepts(request, EVENTS)) {
            return errors.response(request, HttpError.NOT_ACCEPTABLE);
          }
          Outbox outbox = outboxes(request).get();
          outbox.begin();
          if (!session.read(outbox, request.getHeaders().get("Last-Event-ID"))) {
            outbox.cancel();
            return HttpResponse.noContent(); // by the rules of these streams: do not come back
          }
          HttpPresence.of(request)
              .whenGone(_ -> {
                session.left(outbox);
                outbox.cancel();
              });
          return events(outbox);
        });
  }

  /** Ends a conversation. */
  HttpResponse<?> end(HttpRequest<?> request) {
    return inSession(
        request,
        session -> {
          sessions.end(session);
          return HttpResponse.ok();
        });
  }

  @FunctionalInterface
  private interface InSession {
    HttpResponse<?> answer(Session session);
  }

  private HttpResponse<?> inSession(HttpRequest<?> request, InSession answer) {
    String id = request.getHeaders().get(SESSION);
    if (id == null || stateless(request)) {
      return errors
          .response(request, HttpError.METHOD_NOT_ALLOWED)
          .header(HttpHeaders.ALLOW, "POST");
    }
    Optional<String> principal = border.principal(CallersDoor.caller(request));
    if (principal.isEmpty()) {
      return errors
          .response(request, HttpError.TOKEN_UNKNOWN)
          .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }
    Optional<Session> session = sessions.find(id, principal.get());
    return session.isPresent()
        ? answer.answer(session.get())
        : errors.response(request, HttpError.UNKNOWN_SESSION);
  }

  private static boolean stateless(HttpRequest<?> request) {
    return Revisions.isStateless(Declared.version(Dialect.MCP, request));
  }

  private static @Nullable String id(Message message) {
    return switch (message) {
      case Message.Request request -> request.id();
      case Message.Notification _ -> null;
      case Message.Unreadable unreadable -> unreadable.id();
    };
  }

  private static boolean accepts(HttpRequest<?> request, String type) {
    return request.getHeaders().getAll(HttpHeaders.ACCEPT).stream()
        .anyMatch(header -> header.toLowerCase(Locale.ROOT).contains(type));
  }

  @Override
  public void end() {
    sessions.close();
  }
}
