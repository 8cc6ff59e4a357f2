package gatebook.api.log;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;

/**
 * Lines on their way to somebody who may be slow to take them, or never do: whoever logs does not
 * wait for him. Lines that come within a moment are written together. When more waits than may,
 * lines are dropped, and one in their place tells how many.
 */
final class BoundedLogStream extends OutputStream {

  /** A moment: waking somebody for each line of many costs more than writing it. */
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final OutputStream to;
  private final long bytesMax;
  private final int closeMillisMax;
  private final LongFunction<byte[]> gap;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Condition pressed = lock.newCondition();
  private final Condition emptied = lock.newCondition();
  private List<byte[]> waiting = new ArrayList<>();

  /** What waits, and what is being written. */
  private long bytes;

  private long dropped;
  private boolean isClosed;

  private BoundedLogStream(
      OutputStream to, long bytesMax, int closeMillisMax, LongFunction<byte[]> gap) {
    this.to = to;
    this.bytesMax = bytesMax;
    this.closeMillisMax = closeMillisMax;
    this.gap = gap;
  }

  /**
   * Begins to write what comes; is flushed when nothing waits.
   *
   * @param bytesMax how much may wait
   * @param closeMillisMax how long closing may wait for it
   * @param gap the line that stands for so many
   */
  static BoundedLogStream begin(
      OutputStream to, long bytesMax, int closeMillisMax, LongFunction<byte[]> gap) {
    BoundedLogStream boundedLogStream = new BoundedLogStream(to, bytesMax, closeMillisMax, gap);
    Thread.ofPlatform().daemon().name("log").start(boundedLogStream::flow);
    return boundedLogStream;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /** Takes a whole line. */
  @Override
  public void write(byte[] line, int from, int length) {
    lock.lock();
    try {
      if (isClosed || bytes + length > bytesMax) {
        dropped++;
        return;
      }
      tellOfDropped();
      add(Arrays.copyOfRange(line, from, from + length));
      arrived.signal();
      if (isPressed()) {
        pressed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether there is no moment to lose. */
  private boolean isPressed() {
    return isClosed || bytes > bytesMax / 2;
  }

  /** Where they would have been. */
  private void tellOfDropped() {
    if (dropped > 0) {
      add(gap.apply(dropped));
      dropped = 0;
    }
  }

  private void add(byte[] line) {
    waiting.add(line);
    bytes += line.length;
  }

  private void flow() {
    for (List<byte[]> lines = take(); !lines.isEmpty(); lines = take()) {
      try {
        for (byte[] line : lines) {
          to.write(line);
        }
        to.flush();
      } catch (IOException _) {
        // nobody is left who could be told
      }
      done(lines);
    }
  }

  /** What came meanwhile; nothing once nothing more can come. */
  private List<byte[]> take() {
    lock.lock();
    try {
      while (waiting.isEmpty() && dropped == 0 && !isClosed) {
        arrived.awaitUninterruptibly();
      }
      gather();
      tellOfDropped();
      List<byte[]> taken = waiting;
      waiting = new ArrayList<>();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private void gather() {
    try {
      long nanos = GATHER_NANOS;
      while (nanos > 0 && !isPressed()) {
        nanos = pressed.awaitNanos(nanos);
      }
    } catch (InterruptedException _) {
      // nobody interrupts this thread, and if he did, lines would come sooner
    }
  }

  private void done(List<byte[]> lines) {
    lock.lock();
    try {
      bytes -= lines.stream().mapToLong(line -> line.length).sum();
      emptied.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Does nothing: what waits is written soon, and nobody waits for that. */
  @Override
  public void flush() {}

  /** Waits, not long, for what is on its way. */
  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      arrived.signal();
      pressed.signal();
      long nanos = TimeUnit.MILLISECONDS.toNanos(closeMillisMax);
      while (bytes > 0 && nanos > 0) {
        nanos = emptied.awaitNanos(nanos);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
