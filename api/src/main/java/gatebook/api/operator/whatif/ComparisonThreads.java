package gatebook.api.operator.whatif;

import gatebook.api.operator.whatif.CallAssembly.Assembled;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Compares calls on some threads, and gives the results in the order of the calls: so they are the
 * same for any number of threads. Used by one thread, which waits when too much is not compared
 * yet.
 */
final class ComparisonThreads implements AutoCloseable {

  /** So many parts of a thread wait while it compares another. */
  private static final int PENDING_FACTOR = 2;

  /** What all that wait have, unless one alone has more. */
  static final long PENDING_BYTES_MAX = 16 << 20;

  private final Comparer comparer;
  private final Consumer<ComparedCall> results;
  private final int pendingMax;
  private final ExecutorService executor;
  private final Queue<Pending> pending = new ArrayDeque<>();
  private long pendingBytes;

  private record Pending(Future<List<ComparedCall>> result, long bytes) {}

  /** Compares one call; is used by several threads at once. */
  @FunctionalInterface
  interface Comparer {
    ComparedCall compare(Assembled call) throws InterruptedException;
  }

  /** Threads that do not keep the process alive; {@code results} gets what they give. */
  ComparisonThreads(int threads, Comparer comparer, Consumer<ComparedCall> results) {
    this.comparer = comparer;
    this.results = results;
    this.pendingMax = PENDING_FACTOR * threads;
    this.executor =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("what-if-", 1).factory());
  }

  /** Has other threads compare these calls after those from before. */
  void compare(List<Assembled> calls) throws InterruptedException {
    if (calls.isEmpty()) {
      return;
    }
    long bytes = calls.stream().mapToLong(Assembled::bytes).sum();
    while (pending.size() == pendingMax
        || (!pending.isEmpty() && pendingBytes + bytes > PENDING_BYTES_MAX)) {
      giveNext();
    }
    pending.add(new Pending(executor.submit(() -> compared(calls)), bytes));
    pendingBytes += bytes;
  }

  /** Compares these calls on the thread that asks, and alone. */
  void compareHere(List<Assembled> calls) throws InterruptedException {
    finish();
    compared(calls).forEach(results);
  }

  /** Waits until all calls are compared. */
  void finish() throws InterruptedException {
    while (!pending.isEmpty()) {
      giveNext();
    }
  }

  private List<ComparedCall> compared(List<Assembled> calls) throws InterruptedException {
    List<ComparedCall> compared = new ArrayList<>(calls.size());
    for (Assembled call : calls) {
      compared.add(comparer.compare(call));
    }
    return compared;
  }

  private void giveNext() throws InterruptedException {
    Pending next = pending.remove();
    pendingBytes -= next.bytes();
    try {
      next.result().get().forEach(results);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case InterruptedException failure -> throw failure;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
