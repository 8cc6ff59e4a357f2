package gatebook.api.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.Reply;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.http.ClientExchange;
import gatebook.api.http.OpenStreams;
import gatebook.api.http.SsePublisher;
import gatebook.api.http.SsePublisher.StreamKind;
import gatebook.api.mcp.McpSession.SourceOpening;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.InitializeRequest;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.rules.Source;
import gatebook.events.CallAbandoned.Cause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One exchange of an MCP client: a POST and its response. The response is a single answer, or a
 * stream of events that ends with the answer once another message has to precede it.
 *
 * <p>A client that received an event id may lose its connection and resume the stream; it counts as
 * gone when it does not return for a while.
 */
public final class McpExchange extends ClientExchange implements CallerConnection {

  /** Senders wait until there is room for an event. */
  public static final StreamKind KIND = StreamKind.limitedBySenders(Duration.ofSeconds(15));

  /** How long a client may take to resume its stream. */
  static final long AWAY_MILLIS_MAX = 30_000;

  private final McpSessions mcpSessions;
  private final @Nullable McpSession mcpSession;
  private final @Nullable String id;
  private final boolean acceptsStream;
  private volatile @Nullable ResumableStream resumableStream;
  private volatile @Nullable Consumer<Cause> onGone;
  private volatile boolean cancelled;
  private volatile boolean awaitingReturn;
  private volatile boolean hasStartedSession;

  /**
   * The exchange of a message that was read.
   *
   * @param mcpSession of the client; absent when it has none
   */
  public McpExchange(
      OpenStreams streams,
      CallerConnection connection,
      RpcMessage message,
      boolean acceptsStream,
      McpSessions mcpSessions,
      @Nullable McpSession mcpSession) {
    super(streams, connection);
    this.mcpSessions = mcpSessions;
    this.mcpSession = mcpSession;
    this.id = message instanceof RpcMessage.Request request ? request.id() : null;
    this.acceptsStream = acceptsStream && id != null;
    if (mcpSession != null && id != null) {
      mcpSession.register(id, this);
    }
  }

  @Override
  protected StreamKind kind() {
    return KIND;
  }

  /** The client is gone only when it does not return either. */
  @Override
  public CallerConnection connection() {
    return this;
  }

  @Override
  protected boolean goesOnWithoutReader() {
    return true;
  }

  @Override
  protected EventSink sink(SsePublisher reader) {
    if (mcpSession == null) {
      return reader;
    }
    ResumableStream opened = mcpSession.openStream();
    boolean _ = opened.attachReader(reader, -1);
    resumableStream = opened;
    return opened;
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
    return Objects.requireNonNull(mcpSession, "initialize needs a session")
        .initialize(initializeRequest, callId, routingSnapshot, sources)
        .whenComplete((openings, _) ->
            hasStartedSession =
                openings != null
                    && !openings.stream().allMatch(it -> it.opening() instanceof Opening.Failed));
  }

  /** The id of a session that this exchange has started. */
  @Override
  public Map<String, String> headers() {
    return mcpSession != null && hasStartedSession
        ? Map.of(McpSession.HEADER, mcpSession.id())
        : Map.of();
  }

  /** The stream ends with the answer. */
  @Override
  protected Optional<SsePublisher> respond(Reply reply) {
    if (mcpSession != null && hasStartedSession) {
      mcpSessions.add(mcpSession);
    }
    end(reply.body());
    if (mcpSession != null && id != null) {
      mcpSession.unregister(id, this);
      mcpSessions.closeUnlessAdded(mcpSession);
    }
    forgetLater();
    return stream();
  }

  private synchronized void end(byte @Nullable [] answer) {
    if (isOpen() && answer != null) {
      CompletableFuture<Boolean> _ = send(SsePublisher.event(answer));
    }
    end();
  }

  /** Keeps the stream for a while, so that a late client still gets the answer. */
  private void forgetLater() {
    McpSession session = mcpSession;
    ResumableStream ended = resumableStream;
    if (session != null && ended != null) {
      ScheduledFuture<?> _ =
          mcpSessions
              .timer()
              .schedule(() -> session.forget(ended), AWAY_MILLIS_MAX, TimeUnit.MILLISECONDS);
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
    return acceptsStream
        ? sendEarly(SsePublisher.event(notification))
        : CompletableFuture.completedFuture(false);
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
    return mcpSession != null && acceptsStream
        ? sendEarly(event(name, question))
        : CompletableFuture.completedFuture(false);
  }

  /** The event with a request of a source, which has this name for the client. */
  static byte[] event(String name, RpcMessage.Request question) {
    return SsePublisher.event(
        MessageWriter.request(quoted(name), question.method(), question.params()));
  }

  /** A source sent an event id, so the client gets one too. */
  @Override
  public void markResumable() {
    if (mcpSession != null && acceptsStream && resumable() == null) {
      CompletableFuture<Boolean> _ = sendEarly(ResumableStream.POSITION);
    }
  }

  /** The stream, if the client received an event id. */
  private @Nullable ResumableStream resumable() {
    ResumableStream stream = resumableStream;
    return stream != null && stream.hasPosition() ? stream : null;
  }

  /** A source closed its stream for a while, so the client is told to reconnect too. */
  @Override
  public void pause(long retryMillis) {
    ResumableStream stream = resumable();
    if (stream != null) {
      stream.pause(retryMillis);
      awaitReturn(stream);
    }
  }

  @Override
  public void expectLongWait() {
    if (acceptsStream) {
      openWhenSilent();
    }
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
    Watch watch = super.connection().onDisconnect(onLost);
    if (cancelled) {
      action.accept(Cause.CANCELLED);
    }
    return () -> {
      onGone = null;
      watch.end();
    };
  }

  private void onConnectionLost(Consumer<Cause> action) {
    ResumableStream stream = resumable();
    if (stream == null) {
      action.accept(Cause.DISCONNECTED);
      return;
    }
    stream().ifPresent(stream::detachReader);
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
          mcpSessions
              .timer()
              .schedule(
                  () -> checkReturn(stream),
                  Math.max(100, AWAY_MILLIS_MAX - Math.max(0, away)),
                  TimeUnit.MILLISECONDS);
    }
  }
}
