package gatebook.api.upstream.source;

import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.Timeouts;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The deadline of a resumed stream: a source that cuts its stream again and again does not get more
 * time for its answer than on one connection.
 */
final class ResumedStreamDeadline {

  private final long startNanos = System.nanoTime();
  private volatile long lastMessageNanos = startNanos;

  /** Whether a message waits for its listener, for which the source is not to blame. */
  private volatile boolean delivering;

  private boolean watching;

  void beginMessage() {
    delivering = true;
  }

  void endMessage() {
    lastMessageNanos = System.nanoTime();
    delivering = false;
  }

  /** Ends the call at its deadline, which every message moves; repeated calls have no effect. */
  synchronized void watch(
      Timeouts timeouts, HttpAnswers httpAnswers, CompletableFuture<Response> response) {
    if (!watching) {
      watching = true;
      schedule(timeouts, httpAnswers, response);
    }
  }

  private void schedule(
      Timeouts timeouts, HttpAnswers httpAnswers, CompletableFuture<Response> response) {
    long streamMillis = timeouts.streamMillis(httpAnswers.hasAsked());
    long streamLeft = streamMillis - millisSince(startNanos);
    long silenceLeft =
        delivering
            ? timeouts.silenceMillis()
            : timeouts.silenceMillis() - millisSince(lastMessageNanos);
    if (streamLeft <= 0) {
      timeOut(streamMillis, httpAnswers, response);
    } else if (silenceLeft <= 0) {
      timeOut(timeouts.silenceMillis(), httpAnswers, response);
    } else {
      CompletableFuture<Void> timer = new CompletableFuture<>();
      CompletableFuture<Void> _ =
          timer.thenRunAsync(() -> schedule(timeouts, httpAnswers, response));
      CompletableFuture<Response> _ = response.whenComplete((_, _) -> timer.cancel(false));
      var _ =
          timer.completeOnTimeout(null, Math.min(streamLeft, silenceLeft), TimeUnit.MILLISECONDS);
    }
  }

  private static void timeOut(
      long millisMax, HttpAnswers httpAnswers, CompletableFuture<Response> response) {
    response.complete(httpAnswers.response(new ExchangeResult.TimedOut(millisMax)));
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }
}
