package gatebook.events.journal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The load of callers that each send the next request when the previous one has completed.
 *
 * <p>Each caller starts on a thread of its own. Where requests block, it stays there; where they
 * complete later, it continues on the completing thread.
 */
public final class AppendLoad {
  private final Supplier<? extends CompletableFuture<?>> request;
  private final long deadlineNanos;
  private final CountDownLatch running;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private AppendLoad(int callers, long millis, Supplier<? extends CompletableFuture<?>> request) {
    this.request = request;
    this.running = new CountDownLatch(callers);
    this.deadlineNanos = System.nanoTime() + millis * 1_000_000;
  }

  /** Runs for a time; a request that fails fails the whole run. */
  public static AppendSample run(
      int callers, long millis, Supplier<? extends CompletableFuture<?>> request) {
    long start = System.nanoTime();
    AppendLoad load = new AppendLoad(callers, millis, request);
    long[] latencyNanos = load.run(callers);
    return AppendSample.of(latencyNanos, latencyNanos.length, System.nanoTime() - start, 0);
  }

  private long[] run(int count) {
    List<Caller> callers = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (int i = 0; i < count; i++) {
        Caller caller = new Caller();
        callers.add(caller);
        threads.execute(caller::send);
      }
      running.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while measuring", e);
    }
    Throwable cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException("a request failed", cause);
    }
    return callers.stream().flatMapToLong(Caller::latencies).toArray();
  }

  private final class Caller {
    private long[] latencyNanos = new long[1024];
    private int count;

    void send() {
      while (System.nanoTime() - deadlineNanos < 0 && failure.get() == null) {
        long start = System.nanoTime();
        CompletableFuture<?> result = request.get();
        if (!result.isDone()) {
          var _ =
              result.whenComplete((_, thrown) -> {
                completed(start, thrown);
                send();
              });
          return;
        }
        completed(start, result.isCompletedExceptionally() ? result.exceptionNow() : null);
      }
      running.countDown();
    }

    private void completed(long start, @Nullable Throwable thrown) {
      if (thrown != null) {
        failure.compareAndSet(null, thrown);
        return;
      }
      if (count == latencyNanos.length) {
        latencyNanos = Arrays.copyOf(latencyNanos, 2 * count);
      }
      latencyNanos[count++] = System.nanoTime() - start;
    }

    LongStream latencies() {
      return Arrays.stream(latencyNanos, 0, count);
    }
  }
}
