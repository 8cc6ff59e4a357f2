package gatebook.api.mcp;

import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.http.SsePublisher;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.FutureList;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.InitializeRequest;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Upstream.Session;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.rules.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future.State;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The MCP session of one client, which starts with {@code initialize}: a session with each source
 * that has sessions, the open requests of sources to the client, and the streams to the client.
 */
public final class McpSession {

  /** The header with its id. */
  public static final String HEADER = "Mcp-Session-Id";

  private static final Call INITIALIZED =
      new Call(null, McpMethod.NOTIFICATIONS_INITIALIZED, null, true, Map.of());

  private final String id;
  private final String principal;
  private final ListenerFactory listeners;
  private final Map<String, PendingOpening> openings = new ConcurrentHashMap<>();
  private final Map<String, SourceRequest> sourceRequests = new ConcurrentHashMap<>();
  private final Map<String, McpExchange> openExchanges = new ConcurrentHashMap<>();
  private final Map<String, ResumableStream> callStreams = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  /** The stream of messages that belong to no call. */
  private final ResumableStream sessionStream = new ResumableStream("own");

  private final Map<Session, Runnable> listening = new ConcurrentHashMap<>();
  private volatile @Nullable SessionStart start;
  private volatile boolean initialized;
  private volatile boolean closed;
  private volatile boolean closingWhenIdle;
  private volatile long usedNanos = System.nanoTime();

  /** Creates listeners for messages of a source that belong to no open call. */
  @FunctionalInterface
  public interface ListenerFactory {
    MessageListener of(ClientChannel clientChannel, UUID callId, String principal, Source source);
  }

  /** How the session started: with the {@code initialize} call of this id. */
  private record SessionStart(InitializeRequest initializeRequest, UUID callId) {}

  /** A source as the rules defined it, and the session with it that is being opened. */
  private record PendingOpening(Source source, CompletableFuture<Opening> opening) {}

  /**
   * A request of a source that the client has not answered yet.
   *
   * @param id the token of the source's own id
   * @param callId of the call that the request belongs to
   */
  public record SourceRequest(Source source, Session session, String id, UUID callId) {}

  /** A source, and the outcome of opening a session with it. */
  public record SourceOpening(Source source, Opening opening) {}

  McpSession(String id, String principal, ListenerFactory listeners) {
    this.id = id;
    this.principal = principal;
    this.listeners = listeners;
  }

  public String id() {
    return id;
  }

  /** The name of the principal that it belongs to. */
  public String principal() {
    return principal;
  }

  boolean isOf(String name) {
    return principal.equals(name);
  }

  boolean isClosed() {
    return closed;
  }

  void markUsed() {
    usedNanos = System.nanoTime();
  }

  /** How long the session has been idle; zero while a stream or a call is open. */
  long idleNanos() {
    return sessionStream.isRead() || !openExchanges.isEmpty() ? 0 : System.nanoTime() - usedNanos;
  }

  /** Initializes all sources concurrently, which starts the session. */
  CompletableFuture<List<SourceOpening>> initialize(
      InitializeRequest initializeRequest,
      UUID callId,
      RoutingSnapshot routingSnapshot,
      List<Source> sources) {
    start = new SessionStart(initializeRequest, callId);
    return FutureList.all(
        sources.stream()
            .map(source ->
                opening(routingSnapshot, source)
                    .opening
                    .thenApply(opening -> new SourceOpening(source, opening)))
            .toList());
  }

  /** The upstream of a source in this session. */
  Upstream upstream(RoutingSnapshot routingSnapshot, Source source) {
    Upstream upstream = routingSnapshot.upstream(source);
    return start == null
        ? upstream
        : new PendingUpstream(upstream, opening(routingSnapshot, source).opening);
  }

  /** The session with a source; opened again if it failed or the source no longer knows it. */
  private PendingOpening opening(RoutingSnapshot routingSnapshot, Source source) {
    PendingOpening known = openings.get(source.id());
    return known != null && isUsable(known, source)
        ? known
        : Objects.requireNonNull(
            openings.compute(
                source.id(),
                (_, now) ->
                    now != null && isUsable(now, source) ? now : open(routingSnapshot, source)));
  }

  private static boolean isUsable(PendingOpening pendingOpening, Source source) {
    return pendingOpening.source.equals(source)
        && switch (pendingOpening.opening.state()) {
          case RUNNING -> true;
          case FAILED, CANCELLED -> false;
          case SUCCESS ->
              switch (pendingOpening.opening.resultNow()) {
                case Opening.Opened(var session) -> session.isOpen();
                case Opening.None() -> true;
                case Opening.Failed _ -> false;
              };
        };
  }

  private PendingOpening open(RoutingSnapshot routingSnapshot, Source source) {
    SessionStart started = Objects.requireNonNull(start, "initialize comes first");
    CompletableFuture<Opening> opening =
        routingSnapshot
            .upstream(source)
            .open(started.initializeRequest)
            .thenApply(opened -> {
              if (opened instanceof Opening.Opened(var session)) {
                onOpened(started, source, session);
              }
              return opened;
            });
    CompletableFuture<Void> _ =
        opening.thenAccept(opened -> {
          if (closed && opened instanceof Opening.Opened(var session)) {
            session.close();
          }
        });
    return new PendingOpening(source, opening);
  }

  private void onOpened(SessionStart started, Source source, Session session) {
    if (initialized) {
      CompletableFuture<?> _ = session.call(INITIALIZED, MessageListener.NONE);
    }
    if (sessionStream.isRead()) {
      listen(started, source, session);
    }
  }

  private void listen(SessionStart started, Source source, Session session) {
    listening.computeIfAbsent(
        session,
        it -> it.listen(listeners.of(new SessionChannel(), started.callId, principal, source)));
  }

  /**
   * Attaches a reader to the stream of the session, or to the stream of a call after the event that
   * it received last. False when nothing more follows that event: the client must not reconnect.
   */
  public boolean attachReader(SsePublisher reader, @Nullable String lastEventId) {
    markUsed();
    if (lastEventId != null && sessionStream.positionOf(lastEventId) < 0) {
      return streamOf(lastEventId)
          .map(it -> it.attachReader(reader, it.positionOf(lastEventId)))
          .orElse(false);
    }
    boolean isAttached =
        sessionStream.attachReader(
            reader,
            lastEventId == null
                ? sessionStream.lastPosition()
                : sessionStream.positionOf(lastEventId));
    SessionStart started = start;
    if (isAttached && started != null) {
      sessions().forEach(session -> listen(started, session.getKey(), session.getValue()));
    }
    return isAttached;
  }

  /** Detaches a reader; without one, the sources stop sending messages that belong to no call. */
  public void detachReader(SsePublisher reader) {
    markUsed();
    sessionStream.detachReader(reader);
    callStreams.values().forEach(resumableStream -> resumableStream.detachReader(reader));
    if (!sessionStream.isRead()) {
      listening
          .keySet()
          .forEach(
              session -> Optional.ofNullable(listening.remove(session)).ifPresent(Runnable::run));
    }
  }

  /** The stream that an event id belongs to; empty when its call ended long ago. */
  private Optional<ResumableStream> streamOf(String lastEventId) {
    return callStreams.values().stream()
        .filter(resumableStream -> resumableStream.positionOf(lastEventId) >= 0)
        .findFirst();
  }

  /** Opens a stream for one call. */
  ResumableStream openStream() {
    ResumableStream resumableStream = new ResumableStream("c" + numbers.incrementAndGet());
    callStreams.put(resumableStream.name(), resumableStream);
    return resumableStream;
  }

  void forget(ResumableStream resumableStream) {
    callStreams.remove(resumableStream.name());
  }

  void register(String requestId, McpExchange mcpExchange) {
    markUsed();
    openExchanges.put(requestId, mcpExchange);
  }

  void unregister(String requestId, McpExchange mcpExchange) {
    markUsed();
    openExchanges.remove(requestId, mcpExchange);
    if (closingWhenIdle && openExchanges.isEmpty()) {
      close();
    }
  }

  /** Sends a notification of the client to every source that has a session with it. */
  public void notifySources(String method, @Nullable String params, Map<String, String> headers) {
    initialized |= method.equals(INITIALIZED.method());
    Call call = new Call(null, method, params, true, headers);
    sessions()
        .forEach(session -> {
          CompletableFuture<?> _ = session.getValue().call(call, MessageListener.NONE);
        });
  }

  /** Cancels an open call of the client. */
  public void cancel(String requestId) {
    McpExchange mcpExchange = openExchanges.get(requestId);
    if (mcpExchange != null) {
      mcpExchange.cancel();
    }
  }

  /** Registers a request of a source, and returns its id for the client, without quotes. */
  String registerSourceRequest(Source source, String requestId, UUID callId) {
    String name = "gatebook-" + numbers.incrementAndGet();
    Optional<Session> session =
        sessions().filter(it -> it.getKey().equals(source)).map(Map.Entry::getValue).findFirst();
    session.ifPresent(
        it -> sourceRequests.put(name, new SourceRequest(source, it, requestId, callId)));
    return name;
  }

  /** Removes and returns a registered request: it has one answer. */
  public Optional<SourceRequest> takeRequest(String name) {
    markUsed();
    return Optional.ofNullable(sourceRequests.remove(name));
  }

  private Stream<Map.Entry<Source, Session>> sessions() {
    return openings.values().stream()
        .filter(pendingOpening -> pendingOpening.opening.state() == State.SUCCESS)
        .flatMap(pendingOpening ->
            pendingOpening.opening.resultNow() instanceof Opening.Opened(var session)
                ? Stream.of(Map.entry(pendingOpening.source, session))
                : Stream.empty());
  }

  /** The channel for messages and requests that belong to no call. */
  private final class SessionChannel implements ClientChannel {
    @Override
    public Upstream upstream(RoutingSnapshot routingSnapshot, Source source) {
      return McpSession.this.upstream(routingSnapshot, source);
    }

    @Override
    public boolean acceptsMessages() {
      return true;
    }

    @Override
    public CompletableFuture<Boolean> sendNotification(byte[] notification) {
      return sessionStream.send(SsePublisher.event(notification));
    }

    @Override
    public String registerRequest(Source source, RpcMessage.Request question, UUID callId) {
      return registerSourceRequest(source, question.id(), callId);
    }

    @Override
    public CompletableFuture<Boolean> sendRequest(String name, RpcMessage.Request question) {
      return sessionStream.send(McpExchange.event(name, question));
    }
  }

  /** Closes the session as soon as no call of its client is open. */
  void closeWhenIdle() {
    closingWhenIdle = true;
    sessionStream.end();
    if (openExchanges.isEmpty()) {
      close();
    }
  }

  /** Cancels the open calls of the client, then closes the sessions with all sources. */
  void close() {
    closed = true;
    List.copyOf(openExchanges.values()).forEach(McpExchange::cancel);
    List<Session> open = new ArrayList<>(sessions().map(Map.Entry::getValue).toList());
    listening.values().forEach(Runnable::run);
    listening.clear();
    open.forEach(Session::close);
    sessionStream.end();
    callStreams.values().forEach(ResumableStream::end);
    sourceRequests.clear();
  }
}
