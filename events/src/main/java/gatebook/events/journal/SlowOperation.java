package gatebook.events.journal;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * A slow operation, which logs what is waited for: after a second, and then every five, with its
 * progress so far. An operation that takes less than a second logs nothing, and no line is logged
 * after the end.
 */
public final class SlowOperation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SlowOperation.class);

  /**
   * When it is logged.
   *
   * @param first the time until the first line
   * @param again the time between lines after that
   */
  record Interval(Duration first, Duration again) {
    static final Interval USUAL = new Interval(Duration.ofSeconds(1), Duration.ofSeconds(5));
  }

  private final Supplier<LoggingEventBuilder> line;
  private final Supplier<String> sentence;
  private final BooleanSupplier isOver;
  private final Interval interval;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  private SlowOperation(
      Supplier<LoggingEventBuilder> line,
      Supplier<String> sentence,
      BooleanSupplier isOver,
      Interval interval) {
    this.line = line;
    this.sentence = sentence;
    this.isOver = isOver;
    this.interval = interval;
    this.thread = Thread.ofVirtual().name("slow-operation").start(this::logUntilClosed);
  }

  /**
   * Starts an operation that ends when it is closed.
   *
   * @param name the log key of {@code about}
   * @param about for example a path, which the log shows only as a value, not in the text
   */
  public static SlowOperation start(String sentence, String name, Object about) {
    return startWith(() -> LOG.atInfo().addKeyValue(name, about), () -> sentence, () -> false);
  }

  /** The same, with a sentence that is made for each line. */
  public static SlowOperation start(Supplier<String> sentence) {
    return startWith(LOG::atInfo, sentence, () -> false);
  }

  /** The same; it also ends when {@code isOver} returns true, which is asked before each line. */
  public static SlowOperation until(BooleanSupplier isOver, Supplier<String> sentence) {
    return startWith(LOG::atInfo, sentence, isOver);
  }

  private static SlowOperation startWith(
      Supplier<LoggingEventBuilder> line, Supplier<String> sentence, BooleanSupplier isOver) {
    return start(line, sentence, isOver, Interval.USUAL);
  }

  static SlowOperation start(
      Supplier<LoggingEventBuilder> line,
      Supplier<String> sentence,
      BooleanSupplier isOver,
      Interval interval) {
    return new SlowOperation(line, sentence, isOver, interval);
  }

  /** The thread that logs, which ends with the operation. */
  Thread thread() {
    return thread;
  }

  private void logUntilClosed() {
    long from = System.nanoTime();
    Duration pause = interval.first;
    try {
      while (!closed.await(pause.toNanos(), TimeUnit.NANOSECONDS) && logLine(from)) {
        pause = interval.again;
      }
    } catch (InterruptedException _) {
      // no code interrupts this thread; if it happened, only log lines would be missing
    }
  }

  /** False when the operation has ended. */
  private synchronized boolean logLine(long from) {
    if (closed.getCount() == 0 || isOver.getAsBoolean()) {
      return false;
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - from);
    line.get().addKeyValue("seconds", seconds).log(sentence.get());
    return true;
  }

  /** After this returned, no line is logged. */
  @Override
  public synchronized void close() {
    closed.countDown();
  }
}
