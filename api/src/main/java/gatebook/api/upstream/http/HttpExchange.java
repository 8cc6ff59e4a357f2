package gatebook.api.upstream.http;

import gatebook.api.upstream.http.ExchangeResult.NotConnected;
import gatebook.api.upstream.http.ExchangeResult.Overloaded;
import gatebook.api.upstream.http.ExchangeResult.TimedOut;
import gatebook.api.upstream.http.SseListener.Event;
import io.netty.handler.codec.http.FullHttpRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One request on its way. Whoever completes its ending first has decided it. */
final class HttpExchange {

  private enum Stage {
    WAITING,
    CONNECTING,
    WRITTEN,
    LATE
  }

  private final FullHttpRequest request;
  private final SseListener sseListener;
  private final Timeouts timeouts;
  private final long begunNanos = System.nanoTime();
  private final CompletableFuture<ExchangeResult> ending = new CompletableFuture<>();
  private Stage stage = Stage.WAITING;
  private final CompletableFuture<Void> streaming = new CompletableFuture<>();
  private volatile long aliveNanos = begunNanos;

  /** Our own side does not take what has come. */
  private volatile boolean paused;

  HttpExchange(FullHttpRequest request, SseListener sseListener, Timeouts timeouts) {
    this.request = request;
    this.sseListener = sseListener;
    this.timeouts = timeouts;
  }

  CompletableFuture<ExchangeResult> ending() {
    return ending;
  }

  CompletableFuture<Boolean> take(Event event) {
    return sseListener.take(event);
  }

  boolean isOver() {
    return ending.isDone();
  }

  void end(ExchangeResult how) {
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
    long total = isStream() ? timeouts.streamMillis() : timeouts.answerMillis();
    long left = total - TimeUnit.NANOSECONDS.toMillis(now - begunNanos);
    if (!isStream() || paused) {
      return left;
    }
    long silent = TimeUnit.NANOSECONDS.toMillis(now - aliveNanos);
    return Math.min(left, timeouts.silenceMillis() - silent);
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
      return timeouts.answerMillis();
    }
    long total = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
    return total >= timeouts.streamMillis() ? timeouts.streamMillis() : timeouts.silenceMillis();
  }

  /** What was not written by now never is, so that nobody is told otherwise. */
  private synchronized Stage lateAt() {
    Stage reached = stage;
    stage = reached == Stage.WRITTEN ? reached : Stage.LATE;
    return reached;
  }
}
