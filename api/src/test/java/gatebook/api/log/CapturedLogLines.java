package gatebook.api.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Captures the log lines of one logger, mostly of one thread, so that parallel tests do not mix.
 */
public final class CapturedLogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  public final List<ILoggingEvent> list = new CopyOnWriteArrayList<>();

  private final @Nullable Thread own;
  private final Logger logger;

  private CapturedLogLines(String logger, @Nullable Thread own) {
    this.logger = (Logger) LoggerFactory.getLogger(logger);
    this.own = own;
  }

  /** Captures the lines of the current thread. */
  public static CapturedLogLines of(String logger) {
    return of(logger, Thread.currentThread());
  }

  /** Captures the lines of a thread. */
  public static CapturedLogLines of(String logger, Thread thread) {
    return started(logger, thread);
  }

  /** Captures the lines of all threads, for loggers whose threads a test does not know. */
  public static CapturedLogLines ofAllThreads(String logger) {
    return started(logger, null);
  }

  private static CapturedLogLines started(String logger, @Nullable Thread thread) {
    CapturedLogLines lines = new CapturedLogLines(logger, thread);
    lines.start();
    lines.logger.addAppender(lines);
    return lines;
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (own == null || Thread.currentThread().equals(own)) {
      list.add(event);
    }
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
