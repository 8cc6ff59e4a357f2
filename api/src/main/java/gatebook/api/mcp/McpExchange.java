package gatebook.api.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.http.SsePublisher;
import gatebook.api.mcp.McpSession.SessionStart;
import gatebook.api.mcp.McpSession.SourceOpening;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.InitializeRequest;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.rules.Source;
import gatebook.events.CallAbandoned.Cause;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One exchange of an MCP client: a POST and its response. The response is a single answer, or a
 * stream of events that ends with the answer once another message has to precede it.
 *
 * <p>A client that received an event id may lose its connection and resume the stream; it counts as
 * gone when it does not return for a while.
 */
public final class McpExchange implements ClientChannel, CallerConnection {

  /** How long a client may take to resume its stream. */
  static final long AWAY_MILLIS_MAX = 30_000;

  private final @Nullable McpSession mcpSession;
  private final @Nullable String id;
  private final boolean acceptsStream;
  private final CallerConnection connection;
  private final Supplier<SsePublisher> publishers;
  private final ListenerFactory listeners;
  private final ScheduledExecutorService timer;
  private final CompletableFuture<SsePublisher> streaming = new CompletableFuture<>();
  private @Nullable SsePublisher ssePublisher;
  private @Nullable ResumableStream resumableStream;
  private boolean answered;
  private volatile @Nullable Consumer<Cause> onGone;
  private volatile boolean cancelled;
  private volatile boolean awaitingReturn;
  private volatile boolean hasStartedSession;

  /** The sender of a message, and the ways to reach it. */
  public record Sender(
      @Nullable McpSession session,
      boolean acceptsStream,
      CallerConnection connection,
      Supplier<SsePublisher> publishers,
      ListenerFactory listeners,
      ScheduledExecutorService timer) {}

  /** Creates listeners for messages of a source that belong to no open call. */
  @FunctionalInterface
  public interface ListenerFactory {
    MessageListener of(ClientChannel clientChannel, UUID callId, Source source);
  }

  /** {@code id} is the token of the message's id; absent for a notification. */
  public McpExchange(Sender sender, @Nullable String id) {
    this.mcpSession = sender.session;
    this.id = id;
    this.acceptsStream = sender.acceptsStream && id != null;
    this.connection = sender.connection;
    this.publishers = sender.publishers;
    this.listeners = sender.listeners;
    this.timer = sender.timer;
    if (mcpSession != null && id != null) {
      mcpSession.register(id, this);
    }
  }

  public @Nullable McpSession session() {
    return mcpSession;
  }

  /** Initializes the sources for the client, which starts the session. */
  public CompletableFuture<List<SourceOpening>> initialize(
      InitializeRequest initializeRequest,
      UUID callId,
      RoutingSnapshot routingSnapshot,
      List<Source> sources) {
    McpSession session = Objects.requireNonNull(mcpSession, "initialize needs a session");
    return session
        .initialize(
            new SessionStart(
                initializeRequest,
                callId,
                source -> listeners.of(session.sessionChannel(), callId, source)),
            routingSnapshot,
            sources)
        .whenComplete((openings, _) ->
            hasStartedSession =
                openings != null
                    && !openings.stream().allMatch(it -> it.opening() instanceof Opening.Failed));
  }

  /** Whether this exchange started the session. */
  public boolean hasStartedSession() {
    return hasStartedSession;
  }

  /** Completes when the response becomes a stream. */
  public CompletableFuture<SsePublisher> streaming() {
    return streaming;
  }

  /** Ends the exchange, and sends the answer on the stream if there is one. */
  public void answer(byte @Nullable [] body) {
    ResumableStream stream;
    SsePublisher publisher;
    synchronized (this) {
      answered = true;
      stream = resumableStream;
      publisher = ssePublisher;
    }
    if (mcpSession != null && id != null) {
      mcpSession.unregister(id, this);
    }
    if (stream != null) {
      if (body != null) {
        CompletableFuture<Boolean> _ = stream.send(body);
      }
      stream.end();
      forgetLater(stream);
    } else if (publisher != null) {
      if (body != null) {
        CompletableFuture<Boolean> _ = publisher.send(ResumableStream.event(null, body));
      }
      publisher.end();
    }
  }

  /** Keeps the stream for a while, so that a late client still gets the answer. */
  private void forgetLater(ResumableStream ended) {
    McpSession session = mcpSession;
    if (session != null) {
      ScheduledFuture<?> _ =
          timer.schedule(() -> session.forget(ended), AWAY_MILLIS_MAX, TimeUnit.MILLISECONDS);
    }
  }

  /** The client cancelled the request, which may have no watch yet. */
  void cancel() {
    cancelled = true;
    Consumer<Cause> action = onGone;
    if (action != null) {
      action.accept(Cause.CANCELLED);
    }
  }

  @Override
  public Upstream upstream(RoutingSnapshot routingSnapshot, Source source) {
    return mcpSession == null
        ? routingSnapshot.upstream(source)
        : mcpSession.upstream(routingSnapshot, source);
  }

  @Override
  public void notifySources(DialectCall notification, Map<String, String> headers) {
    if (mcpSession != null) {
      if (notification.method().equals(McpMethod.NOTIFICATIONS_CANCELLED)) {
        // before the source gets it and closes the connection
        notification.members().json("requestId").ifPresent(mcpSession::cancel);
      }
      mcpSession.notifySources(notification.method(), notification.params(), headers);
    }
  }

  @Override
  public boolean acceptsMessages() {
    return acceptsStream;
  }

  @Override
  public CompletableFuture<Boolean> sendNotification(byte[] notification) {
    return send(notification);
  }

  @Override
  public String registerRequest(Source source, RpcMessage.Request question, UUID callId) {
    return mcpSession == null
        ? "gatebook"
        : mcpSession.registerSourceRequest(source, question.id(), callId);
  }

  @Override
  public CompletableFuture<Boolean> sendRequest(String name, RpcMessage.Request question) {
    // without a session, a response could not be matched to its request
    return mcpSession == null
        ? CompletableFuture.completedFuture(false)
        : send(rendered(name, question));
  }

  static byte[] rendered(String name, RpcMessage.Request question) {
    return MessageWriter.request(quoted(name), question.method(), question.params());
  }

  private CompletableFuture<Boolean> send(byte[] message) {
    if (!open()) {
      return CompletableFuture.completedFuture(false);
    }
    ResumableStream stream = currentStream();
    SsePublisher publisher = currentPublisher();
    if (stream != null) {
      return stream.send(message);
    }
    return publisher == null
        ? CompletableFuture.completedFuture(false)
        : publisher.send(ResumableStream.event(null, message));
  }

  /** A source sent an event id, so the client gets one too. */
  @Override
  public void markResumable() {
    if (mcpSession != null && open()) {
      ResumableStream stream = currentStream();
      if (stream != null && !stream.hasPosition()) {
        CompletableFuture<Boolean> _ = stream.sendPosition();
      }
    }
  }

  /** A source closed its stream for a while, so the client is told to reconnect too. */
  @Override
  public void pause(long retryMillis) {
    ResumableStream stream = currentStream();
    if (stream != null && stream.hasPosition()) {
      stream.pause(retryMillis);
      awaitReturn(stream);
    }
  }

  @Override
  public void expectLongWait() {
    if (acceptsStream) {
      ScheduledFuture<?> _ =
          timer.schedule(
              this::openWithHead, SsePublisher.KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** No event follows soon, so the client gets the head of the response now. */
  private void openWithHead() {
    if (currentPublisher() == null && open()) {
      Objects.requireNonNull(currentPublisher()).sendHead();
    }
  }

  /** Opens the stream if there is none yet; false when no stream is possible. */
  private boolean open() {
    SsePublisher newPublisher;
    synchronized (this) {
      if (!acceptsStream || answered) {
        return false;
      }
      if (ssePublisher != null) {
        return true;
      }
      newPublisher = publishers.get();
      ssePublisher = newPublisher;
      if (mcpSession != null) {
        resumableStream = mcpSession.openStream();
        boolean _ = resumableStream.attachReader(newPublisher, -1);
      }
    }
    streaming.complete(newPublisher);
    return true;
  }

  private synchronized @Nullable ResumableStream currentStream() {
    return resumableStream;
  }

  private synchronized @Nullable SsePublisher currentPublisher() {
    return ssePublisher;
  }

  @Override
  public Watch onDisconnect(Consumer<Cause> action) {
    return watch(action, _ -> onConnectionLost(action));
  }

  @Override
  public CallerConnection strict() {
    return action -> watch(action, action);
  }

  /** Runs the action when the client cancels, and the other one when its connection is lost. */
  private Watch watch(Consumer<Cause> action, Consumer<Cause> onLost) {
    onGone = action;
    Watch watch = connection.onDisconnect(onLost);
    if (cancelled) {
      action.accept(Cause.CANCELLED);
    }
    return () -> {
      onGone = null;
      watch.end();
    };
  }

  private void onConnectionLost(Consumer<Cause> action) {
    ResumableStream stream = currentStream();
    SsePublisher publisher = currentPublisher();
    if (stream == null || !stream.hasPosition()) {
      action.accept(Cause.DISCONNECTED);
      return;
    }
    if (publisher != null) {
      stream.detachReader(publisher);
    }
    awaitReturn(stream);
  }

  private void awaitReturn(ResumableStream stream) {
    if (!awaitingReturn) {
      awaitingReturn = true;
      checkReturn(stream);
    }
  }

  private void checkReturn(ResumableStream stream) {
    Consumer<Cause> action = onGone;
    long away = stream.unreadMillis();
    if (action != null && away >= AWAY_MILLIS_MAX) {
      action.accept(Cause.DISCONNECTED);
    } else if (action != null) {
      ScheduledFuture<?> _ =
          timer.schedule(
              () -> checkReturn(stream),
              Math.max(100, AWAY_MILLIS_MAX - Math.max(0, away)),
              TimeUnit.MILLISECONDS);
    }
  }
}
