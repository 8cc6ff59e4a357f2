package gatebook.api.upstream.http;

import gatebook.api.upstream.http.Ending.NotConnected;
import gatebook.api.upstream.http.Ending.Overloaded;
import gatebook.api.upstream.http.Ending.TimedOut;
import gatebook.api.upstream.http.Events.Event;
import io.netty.handler.codec.http.FullHttpRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One request on its way. Whoever completes its ending first has decided it. */
final class Exchange {

  private enum Stage {
    WAITING,
    CONNECTING,
    WRITTEN,
    LATE
  }

  private final FullHttpRequest request;
  private final Events events;
  private final Patience patience;
  private final long begunNanos = System.nanoTime();
  private final CompletableFuture<Ending> ending = new CompletableFuture<>();
  private Stage stage = Stage.WAITING;
  private final CompletableFuture<Void> streaming = new CompletableFuture<>();
  private volatile long aliveNanos = begunNanos;

  /** Our own side does not take what has come. */
  private volatile boolean paused;

  Exchange(FullHttpRequest request, Events events, Patience patience) {
    this.request = request;
    this.events = events;
    this.patience = patience;
  }

  CompletableFuture<Ending> ending() {
    return ending;
  }

  CompletableFuture<Boolean> take(Event event) {
    return events.take(event);
  }

  boolean isOver() {
    return ending.isDone();
  }

  void end(Ending how) {
    ending.complete(how);
  }

  void failed(Throwable failure) {
    ending.completeExceptionally(failure);
  }

  synchronized void connecting() {
    if (stage == Stage.WAITING) {
      stage = Stage.CONNECTING;
    }
  }

  /** The answer is a stream, which may take another time. */
  void streams() {
    alive();
    streaming.complete(null);
  }

  /** Completed when the answer turns out to be a stream. */
  CompletableFuture<Void> streaming() {
    return streaming;
  }

  private boolean isStream() {
    return streaming.isDone();
  }

  /** The stream said something; what only keeps a connection open is not that. */
  void alive() {
    aliveNanos = System.nanoTime();
  }

  void paused(boolean isPaused) {
    paused = isPaused;
    alive();
  }

  /** The request, once, for whoever writes it now; none when it is too late for that. */
  synchronized Optional<FullHttpRequest> taken() {
    if (isOver() || stage == Stage.WRITTEN || stage == Stage.LATE) {
      return Optional.empty();
    }
    stage = Stage.WRITTEN;
    return Optional.of(request);
  }

  /** For how long it may go on without a change; it has no time left when that is none. */
  long millisLeft() {
    long now = System.nanoTime();
    long total = isStream() ? patience.streamMillis() : patience.answerMillis();
    long left = total - TimeUnit.NANOSECONDS.toMillis(now - begunNanos);
    if (!isStream() || paused) {
      return left;
    }
    long silent = TimeUnit.NANOSECONDS.toMillis(now - aliveNanos);
    return Math.min(left, patience.silenceMillis() - silent);
  }

  void late() {
    end(
        switch (lateAt()) {
          case WAITING, LATE -> new Overloaded();
          case CONNECTING -> new NotConnected("no connection in time");
          case WRITTEN -> new TimedOut(timeMillis());
        });
  }

  /** Of the times that a stream has, the one that is over. */
  private long timeMillis() {
    if (!isStream()) {
      return patience.answerMillis();
    }
    long total = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
    return total >= patience.streamMillis() ? patience.streamMillis() : patience.silenceMillis();
  }

  /** What was not written by now never is, so that nobody is told otherwise. */
  private synchronized Stage lateAt() {
    Stage reached = stage;
    stage = reached == Stage.WRITTEN ? reached : Stage.LATE;
    return reached;
  }
}
