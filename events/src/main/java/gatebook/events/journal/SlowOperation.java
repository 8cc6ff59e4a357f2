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
 * Something that may take long. When it does, it is told in the log what is waited for: after a
 * second, and then every five, with what is known of its progress by then. Of what takes no second
 * nothing is told, and nothing after its end.
 */
public final class SlowOperation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SlowOperation.class);

  /**
   * How often it is told.
   *
   * @param first after how long for the first time
   * @param again how long after that, and so on
   */
  record Pace(Duration first, Duration again) {
    static final Pace USUAL = new Pace(Duration.ofSeconds(1), Duration.ofSeconds(5));
  }

  private final Supplier<LoggingEventBuilder> line;
  private final Supplier<String> sentence;
  private final BooleanSupplier isOver;
  private final Pace pace;
  private final CountDownLatch closed = new CountDownLatch(1);

  private SlowOperation(
      Supplier<LoggingEventBuilder> line,
      Supplier<String> sentence,
      BooleanSupplier isOver,
      Pace pace) {
    this.line = line;
    this.sentence = sentence;
    this.isOver = isOver;
    this.pace = pace;
    Thread.ofVirtual().name("waiting").start(this::tell);
  }

  /**
   * Begins; is over when it is closed.
   *
   * @param name of what it is about, in the log
   * @param about for example its path, which as text would not be shown
   */
  public static SlowOperation on(String sentence, String name, Object about) {
    return begun(() -> LOG.atInfo().addKeyValue(name, about), () -> sentence, () -> false);
  }

  /** The same, with a sentence that is asked for each time it is told. */
  public static SlowOperation on(Supplier<String> sentence) {
    return begun(LOG::atInfo, sentence, () -> false);
  }

  /** The same, over by itself when this says so; that is asked before each time it is told. */
  public static SlowOperation until(BooleanSupplier isOver, Supplier<String> sentence) {
    return begun(LOG::atInfo, sentence, isOver);
  }

  private static SlowOperation begun(
      Supplier<LoggingEventBuilder> line, Supplier<String> sentence, BooleanSupplier isOver) {
    return begin(line, sentence, isOver, Pace.USUAL);
  }

  static SlowOperation begin(
      Supplier<LoggingEventBuilder> line,
      Supplier<String> sentence,
      BooleanSupplier isOver,
      Pace pace) {
    return new SlowOperation(line, sentence, isOver, pace);
  }

  private void tell() {
    long from = System.nanoTime();
    Duration pause = pace.first;
    try {
      while (!closed.await(pause.toNanos(), TimeUnit.NANOSECONDS) && told(from)) {
        pause = pace.again;
      }
    } catch (InterruptedException _) {
      // nobody interrupts this thread, and if he did, less would be told
    }
  }

  /** False when it is over. */
  private synchronized boolean told(long from) {
    if (closed.getCount() == 0 || isOver.getAsBoolean()) {
      return false;
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - from);
    line.get().addKeyValue("seconds", seconds).log(sentence.get());
    return true;
  }

  /** Once this has returned, nothing is told any more. */
  @Override
  public synchronized void close() {
    closed.countDown();
  }
}
