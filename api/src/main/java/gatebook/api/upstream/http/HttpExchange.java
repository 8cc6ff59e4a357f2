package gatebook.api.upstream.http;

import gatebook.api.upstream.http.ExchangeResult.NotConnected;
import gatebook.api.upstream.http.ExchangeResult.Overloaded;
import gatebook.api.upstream.http.ExchangeResult.TimedOut;
import gatebook.api.upstream.http.SseListener.Event;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One HTTP exchange: a request and its result. The first result wins. */
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
  private final long startNanos = System.nanoTime();
  private final CompletableFuture<ExchangeResult> result = new CompletableFuture<>();
  private Stage stage = Stage.WAITING;
  private final CompletableFuture<Void> streaming = new CompletableFuture<>();
  private volatile long lastEventNanos = startNanos;

  /** Whether reading is paused because the listener has no room. */
  private volatile boolean paused;

  HttpExchange(FullHttpRequest request, SseListener sseListener, Timeouts timeouts) {
    this.request = request;
    this.sseListener = sseListener;
    this.timeouts = timeouts;
  }

  CompletableFuture<ExchangeResult> result() {
    return result;
  }

  /** The response begins. */
  void start(HttpHeaders headers) {
    sseListener.onHead(headers);
  }

  CompletableFuture<Boolean> take(Event event) {
    return sseListener.take(event);
  }

  boolean isOver() {
    return result.isDone();
  }

  void end(ExchangeResult how) {
    result.complete(how);
  }

  void fail(Throwable failure) {
    result.completeExceptionally(failure);
  }

  synchronized void markConnecting() {
    if (stage == Stage.WAITING) {
      stage = Stage.CONNECTING;
    }
  }

  /** Marks the response as a stream, which has its own timeouts. */
  void markStreaming() {
    resetSilence();
    streaming.complete(null);
  }

  /** Completes when the response turns out to be a stream. */
  CompletableFuture<Void> streaming() {
    return streaming;
  }

  private boolean isStream() {
    return streaming.isDone();
  }

  /** Restarts the silence timeout: an event arrived, not only a keep-alive. */
  void resetSilence() {
    lastEventNanos = System.nanoTime();
  }

  void setPaused(boolean isPaused) {
    paused = isPaused;
    resetSilence();
  }

  /**
   * The request, once, to write it now; empty when the exchange is over or timed out, or when its
   * listener prevents that.
   */
  synchronized Optional<FullHttpRequest> takeRequest() {
    if (isOver() || stage == Stage.WRITTEN || stage == Stage.LATE || !sseListener.beforeWrite()) {
      return Optional.empty();
    }
    stage = Stage.WRITTEN;
    return Optional.of(request);
  }

  /** The time left until the timeout; zero or less when it has passed. */
  long millisLeft() {
    long now = System.nanoTime();
    long total = isStream() ? streamMillis() : timeouts.answerMillis();
    long left = total - TimeUnit.NANOSECONDS.toMillis(now - startNanos);
    if (!isStream() || paused) {
      return left;
    }
    long silent = TimeUnit.NANOSECONDS.toMillis(now - lastEventNanos);
    return Math.min(left, timeouts.silenceMillis() - silent);
  }

  void timeOut() {
    end(
        switch (preventWrite()) {
          case WAITING, LATE -> new Overloaded();
          case CONNECTING -> new NotConnected("no connection in time");
          case WRITTEN -> new TimedOut(exceededMillis());
        });
  }

  /** The timeout that was exceeded. */
  private long exceededMillis() {
    if (!isStream()) {
      return timeouts.answerMillis();
    }
    long total = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    return total >= streamMillis() ? streamMillis() : timeouts.silenceMillis();
  }

  private long streamMillis() {
    return timeouts.streamMillis(sseListener.hasAsked());
  }

  /** Prevents a write from now on, so that the reported result stays true. */
  private synchronized Stage preventWrite() {
    Stage reached = stage;
    stage = reached == Stage.WRITTEN ? reached : Stage.LATE;
    return reached;
  }
}
