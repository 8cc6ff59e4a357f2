package gatebook.api.mcp.session;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.gateway.CallerConnection;
import gatebook.api.gateway.ClientChannel;
import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.http.SsePublisher;
import gatebook.api.mcp.session.McpSession.Beginning;
import gatebook.api.mcp.session.McpSession.Met;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Introduction;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.command.rules.Source;
import gatebook.events.CallAbandoned.Cause;
import java.util.List;
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
 * One message of a client's, and the way back: an answer, or a stream of events of which the answer
 * is the last, as soon as there is anything to say before it.
 *
 * <p>A client that heard a place in the stream may lose its connection, and come back to it; it is
 * gone when it does not for a while.
 */
public final class McpExchange implements ClientChannel, CallerConnection {

  /** How long a client may take to come back. */
  static final long AWAY_MILLIS_MAX = 30_000;

  private final @Nullable McpSession mcpSession;
  private final @Nullable String id;
  private final boolean hears;
  private final CallerConnection connection;
  private final Supplier<SsePublisher> outboxes;
  private final Asides asides;
  private final ScheduledExecutorService timer;
  private final CompletableFuture<SsePublisher> streaming = new CompletableFuture<>();
  private @Nullable SsePublisher ssePublisher;
  private @Nullable ResumableStream resumableStream;
  private boolean answered;
  private volatile @Nullable Consumer<Cause> gone;
  private volatile boolean watched;
  private volatile boolean introduces;

  /** By whom a message came, and what can be said to him. */
  public record Sender(
      @Nullable McpSession session,
      boolean hears,
      CallerConnection connection,
      Supplier<SsePublisher> outboxes,
      Asides asides,
      ScheduledExecutorService timer) {}

  /** Who takes what a source says that belongs to no call under way. */
  @FunctionalInterface
  public interface Asides {
    Aside of(ClientChannel clientChannel, UUID callId, Source source);
  }

  /** {@code id} is the token of its id; absent when it wants no answer. */
  public McpExchange(Sender sender, @Nullable String id) {
    this.mcpSession = sender.session;
    this.id = id;
    this.hears = sender.hears && id != null;
    this.connection = sender.connection;
    this.outboxes = sender.outboxes;
    this.asides = sender.asides;
    this.timer = sender.timer;
    if (mcpSession != null && id != null) {
      mcpSession.begins(id, this);
    }
  }

  public @Nullable McpSession session() {
    return mcpSession;
  }

  /** Introduces the client to sources; the conversation is begun by that. */
  public CompletableFuture<List<Met>> introduce(
      Introduction introduction,
      UUID callId,
      RoutingSnapshot routingSnapshot,
      List<Source> sources) {
    McpSession begun = Objects.requireNonNull(mcpSession, "who has no conversation begins none");
    return begun
        .introduce(
            new Beginning(introduction, callId, source -> asides.of(begun.own(), callId, source)),
            routingSnapshot,
            sources)
        .whenComplete((met, _) ->
            introduces =
                met != null
                    && !met.stream().allMatch(it -> it.opening() instanceof Opening.Failed));
  }

  /** Whether the conversation began with this. */
  public boolean begins() {
    return introduces;
  }

  /** Completed when there is something to say before the answer. */
  public CompletableFuture<SsePublisher> streaming() {
    return streaming;
  }

  /** Gives the answer by the stream, if there is one. */
  public void answer(byte @Nullable [] body) {
    ResumableStream onStrand;
    SsePublisher onOutbox;
    synchronized (this) {
      answered = true;
      onStrand = resumableStream;
      onOutbox = ssePublisher;
    }
    if (mcpSession != null && id != null) {
      mcpSession.ends(id, this);
    }
    if (onStrand != null) {
      if (body != null) {
        CompletableFuture<Boolean> _ = onStrand.send(body);
      }
      onStrand.end();
      forgetLater(onStrand);
    } else if (onOutbox != null) {
      if (body != null) {
        CompletableFuture<Boolean> _ = onOutbox.send(ResumableStream.event(null, body));
      }
      onOutbox.end();
    }
  }

  /** Who comes back late still finds the answer. */
  private void forgetLater(ResumableStream ended) {
    McpSession of = mcpSession;
    if (of != null) {
      ScheduledFuture<?> _ =
          timer.schedule(() -> of.forget(ended), AWAY_MILLIS_MAX, TimeUnit.MILLISECONDS);
    }
  }

  /** The client says that it wants no answer any more. */
  void cancelled() {
    Consumer<Cause> action = gone;
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
  public boolean hears() {
    return hears;
  }

  @Override
  public CompletableFuture<Boolean> told(byte[] notification) {
    return say(notification);
  }

  @Override
  public String nameOf(Source source, RpcMessage.Request question, UUID callId) {
    return mcpSession == null ? "gatebook" : mcpSession.named(source, question.id(), callId);
  }

  @Override
  public CompletableFuture<Boolean> asked(String name, RpcMessage.Request question) {
    // without a session, nobody could tell what an answer belongs to
    return mcpSession == null
        ? CompletableFuture.completedFuture(false)
        : say(rendered(name, question));
  }

  static byte[] rendered(String name, RpcMessage.Request question) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":%s%s}"
        .formatted(
            quoted(name),
            quoted(question.method()),
            question.params() == null ? "" : ",\"params\":" + question.params())
        .getBytes(UTF_8);
  }

  private CompletableFuture<Boolean> say(byte[] message) {
    if (!begin()) {
      return CompletableFuture.completedFuture(false);
    }
    ResumableStream onStrand = strandNow();
    SsePublisher onOutbox = outboxNow();
    if (onStrand != null) {
      return onStrand.send(message);
    }
    return onOutbox == null
        ? CompletableFuture.completedFuture(false)
        : onOutbox.send(ResumableStream.event(null, message));
  }

  /** A source keeps a place in what it says, so that we do too. */
  @Override
  public void placed() {
    if (mcpSession != null && begin()) {
      ResumableStream onStrand = strandNow();
      if (onStrand != null && !onStrand.hasPlace()) {
        CompletableFuture<Boolean> _ = onStrand.prime();
      }
    }
  }

  /** A source has nothing to say for a while, and wants to be come back to. */
  @Override
  public void paused(long retryMillis) {
    ResumableStream onStrand = strandNow();
    if (onStrand != null && onStrand.hasPlace()) {
      onStrand.pause(retryMillis);
      awaitReturn(onStrand);
    }
  }

  @Override
  public void waits() {
    if (hears) {
      ScheduledFuture<?> _ =
          timer.schedule(this::begin, SsePublisher.KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** Whether there is a stream now. */
  private boolean begin() {
    SsePublisher fresh;
    synchronized (this) {
      if (!hears || answered) {
        return false;
      }
      if (ssePublisher != null) {
        return true;
      }
      fresh = outboxes.get();
      ssePublisher = fresh;
      if (mcpSession != null) {
        resumableStream = mcpSession.newStrand();
        boolean _ = resumableStream.read(fresh, -1);
      }
    }
    streaming.complete(fresh);
    return true;
  }

  private synchronized @Nullable ResumableStream strandNow() {
    return resumableStream;
  }

  private synchronized @Nullable SsePublisher outboxNow() {
    return ssePublisher;
  }

  @Override
  public Watch whenGone(Consumer<Cause> action) {
    gone = action;
    Watch watch = connection.whenGone(_ -> left(action));
    return () -> {
      gone = null;
      watch.end();
    };
  }

  @Override
  public CallerConnection strict() {
    return connection;
  }

  private void left(Consumer<Cause> action) {
    ResumableStream onStrand = strandNow();
    SsePublisher onOutbox = outboxNow();
    if (onStrand == null || !onStrand.hasPlace()) {
      action.accept(Cause.DISCONNECTED);
      return;
    }
    if (onOutbox != null) {
      onStrand.left(onOutbox);
    }
    awaitReturn(onStrand);
  }

  private void awaitReturn(ResumableStream left) {
    if (!watched) {
      watched = true;
      look(left);
    }
  }

  private void look(ResumableStream left) {
    Consumer<Cause> action = gone;
    long away = left.unreadMillis();
    if (action != null && away >= AWAY_MILLIS_MAX) {
      action.accept(Cause.DISCONNECTED);
    } else if (action != null) {
      ScheduledFuture<?> _ =
          timer.schedule(
              () -> look(left),
              Math.max(100, AWAY_MILLIS_MAX - Math.max(0, away)),
              TimeUnit.MILLISECONDS);
    }
  }
}
