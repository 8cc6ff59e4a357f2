package gatebook.api.mcp.session;

import static gatebook.api.rpc.Quoted.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.border.Conversation;
import gatebook.api.border.Ground;
import gatebook.api.border.Presence;
import gatebook.api.http.Outbox;
import gatebook.api.mcp.session.Session.Beginning;
import gatebook.api.mcp.session.Session.Met;
import gatebook.api.rpc.Message;
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
public final class Post implements Conversation, Presence {

  /** How long a client may take to come back. */
  static final long AWAY_MILLIS_MAX = 30_000;

  private final @Nullable Session session;
  private final @Nullable String id;
  private final boolean hears;
  private final Presence connection;
  private final Supplier<Outbox> outboxes;
  private final Asides asides;
  private final ScheduledExecutorService timer;
  private final CompletableFuture<Outbox> streaming = new CompletableFuture<>();
  private @Nullable Outbox outbox;
  private @Nullable Strand strand;
  private boolean answered;
  private volatile @Nullable Consumer<Cause> gone;
  private volatile boolean watched;
  private volatile boolean introduces;

  /** By whom a message came, and what can be said to him. */
  public record Sender(
      @Nullable Session session,
      boolean hears,
      Presence connection,
      Supplier<Outbox> outboxes,
      Asides asides,
      ScheduledExecutorService timer) {}

  /** Who takes what a source says that belongs to no call under way. */
  @FunctionalInterface
  public interface Asides {
    Aside of(Conversation conversation, UUID callId, Source source);
  }

  /** {@code id} is the token of its id; absent when it wants no answer. */
  public Post(Sender sender, @Nullable String id) {
    this.session = sender.session;
    this.id = id;
    this.hears = sender.hears && id != null;
    this.connection = sender.connection;
    this.outboxes = sender.outboxes;
    this.asides = sender.asides;
    this.timer = sender.timer;
    if (session != null && id != null) {
      session.begins(id, this);
    }
  }

  public @Nullable Session session() {
    return session;
  }

  /** Introduces the client to sources; the conversation is begun by that. */
  public CompletableFuture<List<Met>> introduce(
      Introduction introduction, UUID callId, Ground ground, List<Source> sources) {
    Session begun = Objects.requireNonNull(session, "who has no conversation begins none");
    return begun
        .introduce(
            new Beginning(introduction, callId, source -> asides.of(begun.own(), callId, source)),
            ground,
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
  public CompletableFuture<Outbox> streaming() {
    return streaming;
  }

  /** Gives the answer by the stream, if there is one. */
  public void answer(byte @Nullable [] body) {
    Strand onStrand;
    Outbox onOutbox;
    synchronized (this) {
      answered = true;
      onStrand = strand;
      onOutbox = outbox;
    }
    if (session != null && id != null) {
      session.ends(id, this);
    }
    if (onStrand != null) {
      if (body != null) {
        CompletableFuture<Boolean> _ = onStrand.send(body);
      }
      onStrand.end();
      forgetLater(onStrand);
    } else if (onOutbox != null) {
      if (body != null) {
        CompletableFuture<Boolean> _ = onOutbox.send(Strand.event(null, body));
      }
      onOutbox.end();
    }
  }

  /** Who comes back late still finds the answer. */
  private void forgetLater(Strand ended) {
    Session of = session;
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
  public Upstream upstream(Ground ground, Source source) {
    return session == null ? ground.upstream(source) : session.upstream(ground, source);
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
  public String nameOf(Source source, Message.Request question, UUID callId) {
    return session == null ? "gatebook" : session.named(source, question.id(), callId);
  }

  @Override
  public CompletableFuture<Boolean> asked(String name, Message.Request question) {
    // without a session, nobody could tell what an answer belongs to
    return session == null
        ? CompletableFuture.completedFuture(false)
        : say(rendered(name, question));
  }

  static byte[] rendered(String name, Message.Request question) {
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
    Strand onStrand = strandNow();
    Outbox onOutbox = outboxNow();
    if (onStrand != null) {
      return onStrand.send(message);
    }
    return onOutbox == null
        ? CompletableFuture.completedFuture(false)
        : onOutbox.send(Strand.event(null, message));
  }

  /** A source keeps a place in what it says, so that we do too. */
  @Override
  public void placed() {
    if (session != null && begin()) {
      Strand onStrand = strandNow();
      if (onStrand != null && !onStrand.hasPlace()) {
        CompletableFuture<Boolean> _ = onStrand.prime();
      }
    }
  }

  /** A source has nothing to say for a while, and wants to be come back to. */
  @Override
  public void paused(long retryMillis) {
    Strand onStrand = strandNow();
    if (onStrand != null && onStrand.hasPlace()) {
      onStrand.pause(retryMillis);
      awaitReturn(onStrand);
    }
  }

  @Override
  public void waits() {
    if (hears) {
      ScheduledFuture<?> _ =
          timer.schedule(this::begin, Outbox.KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** Whether there is a stream now. */
  private boolean begin() {
    Outbox fresh;
    synchronized (this) {
      if (!hears || answered) {
        return false;
      }
      if (outbox != null) {
        return true;
      }
      fresh = outboxes.get();
      outbox = fresh;
      if (session != null) {
        strand = session.newStrand();
        boolean _ = strand.read(fresh, -1);
      }
    }
    streaming.complete(fresh);
    return true;
  }

  private synchronized @Nullable Strand strandNow() {
    return strand;
  }

  private synchronized @Nullable Outbox outboxNow() {
    return outbox;
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
  public Presence strict() {
    return connection;
  }

  private void left(Consumer<Cause> action) {
    Strand onStrand = strandNow();
    Outbox onOutbox = outboxNow();
    if (onStrand == null || !onStrand.hasPlace()) {
      action.accept(Cause.DISCONNECTED);
      return;
    }
    if (onOutbox != null) {
      onStrand.left(onOutbox);
    }
    awaitReturn(onStrand);
  }

  private void awaitReturn(Strand left) {
    if (!watched) {
      watched = true;
      look(left);
    }
  }

  private void look(Strand left) {
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
