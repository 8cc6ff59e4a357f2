package gatebook.api.stdio;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a conversation: bytes come, they come no more, it is told to stop. A little is
 * read ahead, so that the end is noticed while something is still being answered.
 */
final class Stdin {

  private static final int CHUNK_BYTES = 64 << 10;
  private static final int AHEAD_CHUNKS_MAX = 16;

  private final InputStream in;
  private final long patienceNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<ByteBuffer> ahead = new ArrayDeque<>();
  private @Nullable Long endedNanos;
  private @Nullable Long stoppedNanos;
  private @Nullable IOException failure;

  /** What comes next. */
  sealed interface Happening {
    record Bytes(ByteBuffer bytes) implements Happening {}

    /** Nothing came in the time that it may take. */
    record Nothing() implements Happening {}

    /** {@code failure} is absent when it was closed. */
    record End(@Nullable IOException failure) implements Happening {}

    record Stop() implements Happening {}
  }

  /**
   * Begins to read.
   *
   * @param patienceMillis how long an answer is waited for once nobody may be there to read it
   */
  static Stdin reading(InputStream in, long patienceMillis) {
    Stdin stdin = new Stdin(in, TimeUnit.MILLISECONDS.toNanos(patienceMillis));
    Thread.ofPlatform().daemon().name("stdin").start(stdin::read);
    return stdin;
  }

  private Stdin(InputStream in, long patienceNanos) {
    this.in = in;
    this.patienceNanos = patienceNanos;
  }

  /** Nothing more is taken in. */
  void stop() {
    lock.lock();
    try {
      stoppedNanos = stoppedNanos == null ? Long.valueOf(System.nanoTime()) : stoppedNanos;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isStopped() {
    lock.lock();
    try {
      return stoppedNanos != null;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for what comes next, this long at most. */
  Happening next(OptionalLong nanosMax) throws InterruptedException {
    lock.lock();
    try {
      long left = nanosMax.orElse(Long.MAX_VALUE);
      while (nothingHappened() && left > 0) {
        left = changed.awaitNanos(left);
      }
      return happening();
    } finally {
      changed.signalAll();
      lock.unlock();
    }
  }

  /** The value, or null when it was waited for too long while nobody may be there. */
  <T> @Nullable T patiently(CompletableFuture<T> value) throws InterruptedException {
    long from = System.nanoTime();
    CompletableFuture<T> _ = value.whenComplete((_, _) -> wake());
    lock.lock();
    try {
      while (!value.isDone() && patienceLeft(from) > 0) {
        long _ = changed.awaitNanos(patienceLeft(from));
      }
      return value.isDone() ? value.join() : null;
    } finally {
      lock.unlock();
    }
  }

  private long patienceLeft(long from) {
    if (stoppedNanos != null) {
      return patienceNanos - (System.nanoTime() - stoppedNanos);
    }
    return endedNanos == null
        ? Long.MAX_VALUE
        : patienceNanos - Math.min(System.nanoTime() - endedNanos, System.nanoTime() - from);
  }

  private boolean nothingHappened() {
    return stoppedNanos == null && endedNanos == null && ahead.isEmpty();
  }

  private Happening happening() {
    if (stoppedNanos != null) {
      return new Happening.Stop();
    }
    ByteBuffer bytes = ahead.poll();
    if (bytes != null) {
      return new Happening.Bytes(bytes);
    }
    return endedNanos == null ? new Happening.Nothing() : new Happening.End(failure);
  }

  private void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void read() {
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        put(ByteBuffer.wrap(Arrays.copyOf(chunk, length)));
      }
      end(null);
    } catch (IOException e) {
      end(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void put(ByteBuffer bytes) throws InterruptedException {
    lock.lock();
    try {
      while (ahead.size() >= AHEAD_CHUNKS_MAX) {
        changed.await();
      }
      ahead.add(bytes);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void end(@Nullable IOException why) {
    lock.lock();
    try {
      failure = why;
      endedNanos = System.nanoTime();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
