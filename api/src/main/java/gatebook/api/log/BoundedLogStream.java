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
 * A stream of log lines with a bounded queue: a thread that logs never waits for a slow or stopped
 * reader. Lines that arrive within a moment are written as one batch. When the queue is full, lines
 * are dropped, and one line in their place says how many.
 */
final class BoundedLogStream extends OutputStream {

  /**
   * How long a batch collects lines: waking the writer for each of many lines costs more than
   * writing them.
   */
  private static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final OutputStream to;
  private final long bytesMax;
  private final int closeMillisMax;
  private final LongFunction<byte[]> dropNotice;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition lineAdded = lock.newCondition();
  private final Condition writeNow = lock.newCondition();
  private final Condition written = lock.newCondition();
  private List<byte[]> waiting = new ArrayList<>();

  /** The bytes of the lines in the queue and of those being written. */
  private long bytes;

  private long dropped;
  private boolean isClosed;

  private BoundedLogStream(
      OutputStream to, long bytesMax, int closeMillisMax, LongFunction<byte[]> dropNotice) {
    this.to = to;
    this.bytesMax = bytesMax;
    this.closeMillisMax = closeMillisMax;
    this.dropNotice = dropNotice;
  }

  /**
   * Starts the thread that writes; it flushes after each batch.
   *
   * @param bytesMax how many bytes may wait
   * @param closeMillisMax how long closing waits for the queue to drain
   * @param dropNotice the line that reports this many dropped lines
   */
  static BoundedLogStream start(
      OutputStream to, long bytesMax, int closeMillisMax, LongFunction<byte[]> dropNotice) {
    BoundedLogStream boundedLogStream =
        new BoundedLogStream(to, bytesMax, closeMillisMax, dropNotice);
    Thread.ofPlatform().daemon().name("log").start(boundedLogStream::writeBatches);
    return boundedLogStream;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b});
  }

  /** Queues a copy of a whole line, or drops it. */
  @Override
  public void write(byte[] line, int from, int length) {
    write(Arrays.copyOfRange(line, from, from + length));
  }

  /** Queues a whole line, which is not changed afterwards, or drops it. */
  @Override
  public void write(byte[] line) {
    lock.lock();
    try {
      if (isClosed || bytes + line.length > bytesMax) {
        dropped++;
        return;
      }
      addDropNotice();
      add(line);
      lineAdded.signal();
      if (mustWriteNow()) {
        writeNow.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether lines must be written without waiting for a batch. */
  private boolean mustWriteNow() {
    return isClosed || bytes > bytesMax / 2;
  }

  /** Queues the notice where the dropped lines would have been. */
  private void addDropNotice() {
    if (dropped > 0) {
      add(dropNotice.apply(dropped));
      dropped = 0;
    }
  }

  private void add(byte[] line) {
    waiting.add(line);
    bytes += line.length;
  }

  private void writeBatches() {
    for (List<byte[]> lines = takeBatch(); !lines.isEmpty(); lines = takeBatch()) {
      try {
        for (byte[] line : lines) {
          to.write(line);
        }
        to.flush();
      } catch (IOException _) {
        // the failure cannot be reported: this is where reports go
      }
      release(lines);
    }
  }

  /** Takes the lines that arrived; empty once the stream is closed and drained. */
  private List<byte[]> takeBatch() {
    lock.lock();
    try {
      while (waiting.isEmpty() && dropped == 0 && !isClosed) {
        lineAdded.awaitUninterruptibly();
      }
      awaitBatch();
      addDropNotice();
      List<byte[]> taken = waiting;
      waiting = new ArrayList<>();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private void awaitBatch() {
    try {
      long nanos = BATCH_NANOS;
      while (nanos > 0 && !mustWriteNow()) {
        nanos = writeNow.awaitNanos(nanos);
      }
    } catch (InterruptedException _) {
      // this thread is not interrupted; if it were, lines would only be written sooner
    }
  }

  private void release(List<byte[]> lines) {
    lock.lock();
    try {
      bytes -= lines.stream().mapToLong(line -> line.length).sum();
      written.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Does nothing: queued lines are written soon, and a logging thread does not wait for that. */
  @Override
  public void flush() {}

  /** Waits, up to its limit, until queued lines are written. */
  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      lineAdded.signal();
      writeNow.signal();
      long nanos = TimeUnit.MILLISECONDS.toNanos(closeMillisMax);
      while (bytes > 0 && nanos > 0) {
        nanos = written.awaitNanos(nanos);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
