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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a conversation: bytes come, they come no more, it is told to stop. A little is
 * read ahead, so that the end is noticed while something is still being answered.
 */
final class StdinReader {

  private static final int CHUNK_BYTES = 64 << 10;

  /** What a chunk takes besides its bytes. */
  private static final long CHUNK_OVERHEAD_BYTES = 128;

  private final InputStream in;
  private final long patienceNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<ByteBuffer> ahead = new ArrayDeque<>();
  private final Consumer<Boolean> onLeaving;
  private long aheadBytes;
  private boolean talking;
  private boolean ended;
  private boolean stopped;
  private @Nullable IOException failure;

  /** Since when nobody may be there to read an answer. */
  private @Nullable Long leavingNanos;

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
   * @param patienceMillis how long answers are waited for, and messages taken, once nobody may be
   *     there to read an answer
   * @param onLeaving is told when that begins, and whether it is because nothing can be read
   */
  static StdinReader reading(InputStream in, long patienceMillis, Consumer<Boolean> onLeaving) {
    StdinReader stdinReader =
        new StdinReader(in, TimeUnit.MILLISECONDS.toNanos(patienceMillis), onLeaving);
    Thread.ofPlatform().daemon().name("stdin").start(stdinReader::read);
    return stdinReader;
  }

  private StdinReader(InputStream in, long patienceNanos, Consumer<Boolean> onLeaving) {
    this.in = in;
    this.patienceNanos = patienceNanos;
    this.onLeaving = onLeaving;
  }

  /** From now on what comes is answered: what came before waited for that. */
  void talk() {
    lock.lock();
    try {
      talking = true;
      if (ended) {
        leave();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Nothing more is taken in. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      leave();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isStopped() {
    lock.lock();
    try {
      return stopped;
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing is begun any longer. */
  boolean isOver() {
    lock.lock();
    try {
      return stopped || patienceLeft() <= 0;
    } finally {
      lock.unlock();
    }
  }

  private void leave() {
    if (leavingNanos == null) {
      leavingNanos = System.nanoTime();
      onLeaving.accept(failure != null);
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
    CompletableFuture<T> _ = value.whenComplete((_, _) -> wake());
    lock.lock();
    try {
      while (!value.isDone() && patienceLeft() > 0) {
        long _ = changed.awaitNanos(patienceLeft());
      }
      return value.isDone() ? value.join() : null;
    } finally {
      lock.unlock();
    }
  }

  private long patienceLeft() {
    return leavingNanos == null
        ? Long.MAX_VALUE
        : patienceNanos - (System.nanoTime() - leavingNanos);
  }

  private boolean nothingHappened() {
    return !stopped && !ended && ahead.isEmpty();
  }

  private Happening happening() {
    if (stopped) {
      return new Happening.Stop();
    }
    ByteBuffer bytes = ahead.poll();
    if (bytes != null) {
      aheadBytes -= cost(bytes);
      return new Happening.Bytes(bytes);
    }
    return ended ? new Happening.End(failure) : new Happening.Nothing();
  }

  private static long cost(ByteBuffer bytes) {
    return bytes.capacity() + CHUNK_OVERHEAD_BYTES;
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
    } catch (OutOfMemoryError e) {
      end(new IOException("no memory is left to read with", e));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void put(ByteBuffer bytes) throws InterruptedException {
    lock.lock();
    try {
      while (!ahead.isEmpty() && aheadBytes + cost(bytes) > HeapLimit.aheadBytesMax()) {
        changed.await();
      }
      ahead.add(bytes);
      aheadBytes += cost(bytes);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void end(@Nullable IOException why) {
    lock.lock();
    try {
      failure = why;
      ended = true;
      if (talking || ahead.isEmpty()) {
        leave();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
