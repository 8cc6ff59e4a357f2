package gatebook.events.journal.segment.stamp;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * The pace of a thread that works in the background: it works for some milliseconds, and rests a
 * multiple of the time that it worked. Closing it ends every rest.
 */
public final class BackgroundPace implements AutoCloseable {

  /** The time of work before a rest. */
  private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** How often a rest looks whether it may end. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final PaceClock clock;
  private volatile boolean isClosed;
  private IntSupplier restFactor = () -> 0;
  private long workedFrom;

  public BackgroundPace() {
    this(PaceClock.SYSTEM);
  }

  BackgroundPace(PaceClock clock) {
    this.clock = clock;
  }

  /** The time that a pace measures, and waits for. */
  interface PaceClock {
    PaceClock SYSTEM =
        new PaceClock() {
          @Override
          public long nanoTime() {
            return System.nanoTime();
          }

          @Override
          public void await(Object held, long nanos) throws InterruptedException {
            TimeUnit.NANOSECONDS.timedWait(held, nanos);
          }
        };

    long nanoTime();

    /** Returns after some time at the latest, and when the object, which is held, is notified. */
    void await(Object held, long nanos) throws InterruptedException;
  }

  /** Work begins, which rests so many times as long as it takes. */
  public void begin(int newRestFactor) {
    begin(() -> newRestFactor);
  }

  /**
   * Work begins, which rests a multiple of the time that it takes.
   *
   * @param newRestFactor is asked again while it rests: a rest ends when less is enough
   */
  void begin(IntSupplier newRestFactor) {
    restFactor = newRestFactor;
    workedFrom = clock.nanoTime();
  }

  /** Rests if it has worked for long enough. */
  void restWhenDue() {
    if (clock.nanoTime() - workedFrom >= WORK_NANOS) {
      rest();
    }
  }

  public boolean isClosedAfterRest() {
    restWhenDue();
    return isClosed;
  }

  /** Rests from what was worked since the last rest. */
  void rest() {
    long restFrom = clock.nanoTime();
    long worked = restFrom - workedFrom;
    sleep(() -> restFactor.getAsInt() * worked - (clock.nanoTime() - restFrom));
    workedFrom = clock.nanoTime();
  }

  void waitUntil(Instant time) {
    rest();
    long until = clock.nanoTime() + Duration.between(Instant.now(), time).toNanos();
    sleep(() -> until - clock.nanoTime());
    workedFrom = clock.nanoTime();
  }

  private synchronized void sleep(LongSupplier nanosLeft) {
    try {
      for (long left = nanosLeft.getAsLong(); left > 0 && !isClosed; left = nanosLeft.getAsLong()) {
        clock.await(this, Math.min(left, LOOK_NANOS));
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
