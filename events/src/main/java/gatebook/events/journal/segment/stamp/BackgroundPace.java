package gatebook.events.journal.segment.stamp;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The pace of a thread that works in the background: it works for some milliseconds, and rests a
 * multiple of the time that it worked. Closing it ends every rest.
 */
public final class BackgroundPace implements AutoCloseable {

  /** The time of work before a rest. */
  private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private volatile boolean isClosed;
  private int restFactor;
  private long workedFrom;

  /** Work begins, which rests so many times as long as it takes. */
  public void begin(int newRestFactor) {
    restFactor = newRestFactor;
    workedFrom = System.nanoTime();
  }

  /** Rests if it has worked for long enough. */
  void restWhenDue() {
    if (System.nanoTime() - workedFrom >= WORK_NANOS) {
      rest();
    }
  }

  public boolean isClosedAfterRest() {
    restWhenDue();
    return isClosed;
  }

  /** Rests from what was worked since the last rest. */
  void rest() {
    sleep(restFactor * (System.nanoTime() - workedFrom));
    workedFrom = System.nanoTime();
  }

  void waitUntil(Instant time) {
    sleep(Duration.between(Instant.now(), time).toNanos());
    workedFrom = System.nanoTime();
  }

  private synchronized void sleep(long nanos) {
    long until = System.nanoTime() + nanos;
    try {
      for (long left = nanos; left > 0 && !isClosed; left = until - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      isClosed = true;
    }
  }

  public boolean isClosed() {
    return isClosed;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    notifyAll();
  }
}
