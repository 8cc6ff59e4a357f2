package gatebook.api.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Captures the log lines of one logger and one thread, so that parallel tests do not mix. */
public final class CapturedLogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  public final List<ILoggingEvent> list = new ArrayList<>();

  private final Thread own = Thread.currentThread();
  private final Logger logger;

  private CapturedLogLines(String logger) {
    this.logger = (Logger) LoggerFactory.getLogger(logger);
  }

  /** Captures the lines of the current thread. */
  public static CapturedLogLines of(String logger) {
    CapturedLogLines lines = new CapturedLogLines(logger);
    lines.start();
    lines.logger.addAppender(lines);
    return lines;
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (Thread.currentThread().equals(own)) {
      list.add(event);
    }
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
