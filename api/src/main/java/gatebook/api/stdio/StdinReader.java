package gatebook.api.stdio;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads standard input and supplies its events: bytes, the end of input, a request to stop. It
 * reads a little ahead, so that it notices the end of input while a message is still being
 * answered; when it may not read further ahead, it asks whether the input has ended.
 */
final class StdinReader {

  private static final int CHUNK_BYTES = 64 << 10;
  private static final int HEAP_SHARE_AHEAD = 32;
  private static final long BYTES_AHEAD_MAX = aheadBytesMax(Runtime.getRuntime().maxMemory());

  /** How often the end of input is looked for while no more may be read ahead. */
  private static final long HANG_UP_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Most messages are answered sooner, and looking ahead is for those that wait. */
  private static final long LOOK_AHEAD_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The memory of a chunk besides its bytes. */
  private static final long CHUNK_OVERHEAD_BYTES = 128;

  private final InputStream in;
  private final BooleanSupplier isHungUp;
  private final long shutdownNanosMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<ByteBuffer> ahead = new ArrayDeque<>();
  private final Consumer<Boolean> onShutdown;
  private long aheadBytes;

  private ByteBuffer firstAhead = ByteBuffer.allocate(0);

  /** How many of the chunks ahead were looked at, {@link #firstAhead} included. */
  private int lookedAt;

  private long lookFromNanos;
  private boolean answering;
  private boolean ended;
  private boolean hungUp;
  private boolean stopped;
  private @Nullable IOException failure;

  /** When the shutdown began: from then on the caller may be gone. */
  private @Nullable Long shutdownBeganNanos;

  /** An event of standard input. */
  sealed interface StdinEvent {
    record Bytes(ByteBuffer bytes) implements StdinEvent {}

    /** No bytes came in time. */
    record Timeout() implements StdinEvent {}

    /** The end of input; {@code failure} is absent when it was closed normally. */
    record End(@Nullable IOException failure) implements StdinEvent {}

    record Stop() implements StdinEvent {}
  }

  /**
   * Starts to read.
   *
   * @param isHungUp whether the other end is closed, also when there are bytes left to read
   * @param shutdownMillis how long messages are processed and answers waited for once the shutdown
   *     has begun
   * @param onShutdown runs when the shutdown begins; its argument is whether reading failed
   */
  static StdinReader start(
      InputStream in, BooleanSupplier isHungUp, long shutdownMillis, Consumer<Boolean> onShutdown) {
    StdinReader stdinReader =
        new StdinReader(in, isHungUp, TimeUnit.MILLISECONDS.toNanos(shutdownMillis), onShutdown);
    Thread.ofPlatform().daemon().name("stdin").start(stdinReader::read);
    return stdinReader;
  }

  private StdinReader(
      InputStream in,
      BooleanSupplier isHungUp,
      long shutdownNanosMax,
      Consumer<Boolean> onShutdown) {
    this.in = in;
    this.isHungUp = isHungUp;
    this.shutdownNanosMax = shutdownNanosMax;
    this.onShutdown = onShutdown;
  }

  /** From now on messages are answered; before, they were only read ahead. */
  void startAnswering() {
    lock.lock();
    try {
      answering = true;
      if (ended || hungUp) {
        beginShutdown();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Makes {@link #next} return {@link StdinEvent.Stop}. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      beginShutdown();
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

  /** Whether no further message may be processed. */
  boolean isOver() {
    lock.lock();
    try {
      return stopped || nanosLeft() <= 0;
    } finally {
      lock.unlock();
    }
  }

  private void beginShutdown() {
    if (shutdownBeganNanos == null) {
      shutdownBeganNanos = System.nanoTime();
      onShutdown.accept(failure != null);
    }
  }

  /** Waits for the next event, at most this long. */
  StdinEvent next(OptionalLong nanosMax) throws InterruptedException {
    lock.lock();
    try {
      long left = nanosMax.orElse(Long.MAX_VALUE);
      while (isIdle() && left > 0) {
        left = changed.awaitNanos(left);
      }
      return poll();
    } finally {
      changed.signalAll();
      lock.unlock();
    }
  }

  /** Waits for a value; null when the time for the shutdown is over before. */
  <T> @Nullable T await(CompletableFuture<T> value) throws InterruptedException {
    CompletableFuture<T> _ = value.whenComplete((_, _) -> wake());
    lock.lock();
    try {
      while (!value.isDone() && nanosLeft() > 0) {
        long _ = changed.awaitNanos(nanosLeft());
      }
      return value.isDone() ? value.join() : null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * From now on {@link #lookAhead} begins behind the message that is being answered.
   *
   * @param rest the bytes behind it that {@link #next} returned before
   */
  void startLookingAhead(CompletableFuture<?> value, ByteBuffer rest) {
    CompletableFuture<?> _ = value.whenComplete((_, _) -> wake());
    lock.lock();
    try {
      lookedAt = 0;
      firstAhead = rest;
      lookFromNanos = System.nanoTime() + LOOK_AHEAD_AFTER_NANOS;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a value, and returns the next bytes behind the message that is being answered; null
   * when the value is there, or the time for the shutdown is over.
   */
  @Nullable ByteBuffer lookAhead(CompletableFuture<?> value) throws InterruptedException {
    lock.lock();
    try {
      while (!value.isDone() && nanosLeft() > 0) {
        long early = lookFromNanos - System.nanoTime();
        if (early <= 0 && lookedAt <= ahead.size()) {
          lookedAt++;
          return Stream.concat(Stream.of(firstAhead), ahead.stream())
              .skip(lookedAt - 1)
              .findFirst()
              .orElseThrow()
              .asReadOnlyBuffer();
        }
        long _ = changed.awaitNanos(Math.min(nanosLeft(), early > 0 ? early : Long.MAX_VALUE));
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** The bytes that were read and will not be processed. */
  List<ByteBuffer> drain() {
    lock.lock();
    try {
      List<ByteBuffer> rest = List.copyOf(ahead);
      ahead.clear();
      return rest;
    } finally {
      lock.unlock();
    }
  }

  private long nanosLeft() {
    return shutdownBeganNanos == null
        ? Long.MAX_VALUE
        : shutdownNanosMax - (System.nanoTime() - shutdownBeganNanos);
  }

  private boolean isIdle() {
    return !stopped && !ended && ahead.isEmpty();
  }

  private StdinEvent poll() {
    if (stopped) {
      return new StdinEvent.Stop();
    }
    ByteBuffer bytes = ahead.poll();
    if (bytes != null) {
      aheadBytes -= cost(bytes);
      return new StdinEvent.Bytes(bytes);
    }
    return ended ? new StdinEvent.End(failure) : new StdinEvent.Timeout();
  }

  /** How many bytes may be read ahead of the message that is being answered. */
  static long aheadBytesMax(long heapBytes) {
    return Math.min(32L << 20, heapBytes / HEAP_SHARE_AHEAD);
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
      while (!ahead.isEmpty() && aheadBytes + cost(bytes) > BYTES_AHEAD_MAX) {
        long _ = changed.awaitNanos(HANG_UP_CHECK_NANOS);
        noticeHangUp();
      }
      ahead.add(bytes);
      aheadBytes += cost(bytes);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The caller is gone before all that it sent was read: the rest cannot be waited for. */
  private void noticeHangUp() {
    if (!hungUp && isHungUp.getAsBoolean()) {
      hungUp = true;
      if (answering) {
        beginShutdown();
        changed.signalAll();
      }
    }
  }

  private void end(@Nullable IOException why) {
    lock.lock();
    try {
      failure = why;
      ended = true;
      if (answering || ahead.isEmpty()) {
        beginShutdown();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
